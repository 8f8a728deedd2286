// Light or dark before the first paint. A classic script: it must run before the style sheets apply.
(() => {
  const wanted = () => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null; // storage can be closed to us in private windows
    }
  };
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    document.documentElement.dataset.theme = wanted() ?? (dark.matches ? "dark" : "light");
  };
  apply();
  dark.addEventListener("change", apply);
})();
