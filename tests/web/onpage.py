"""What stands on a page: whether it has followed the table, what is wrong with it, what it can send."""

PATIENCE_S = 8.0
"""A page that has not followed by then has not followed."""

FOLLOWS = """([version, patience, actions]) => new Promise((done, lost) => {
    const at = () => Number(document.body.dataset.version);
    const there = () => document.readyState === "complete" && at() >= version
        && !document.querySelector("[aria-busy=true], dialog[open]");
    const look = () => {
        if (!there()) return;
        const taps = [...document.querySelectorAll("[data-tap]")].map((e) => JSON.parse(e.dataset.tap));
        done({
            wide: document.documentElement.scrollWidth - innerWidth,
            headline: document.querySelector("#now h1").textContent,
            missing: actions.filter((action) => action.refused
                ? !document.getElementById("screen").textContent.includes(action.refused)
                : !taps.some((tap) => tap.word === action.word
                    && action.args.every(([name, text]) => tap.args[name] === text))
            ).map((action) => JSON.stringify(action)),
            cut: [...document.querySelectorAll("h1, h2, button, summary, label, td, li, .chip")]
                .filter((e) => e.clientWidth && e.scrollWidth > e.clientWidth + 1 && !e.closest(".unseen"))
                .map((e) => `${e.className || e.tagName}: ${e.textContent.trim().slice(0, 60)}`),
        });
        clearInterval(every);
        clearTimeout(late);
    };
    const every = setInterval(look, 5);
    const late = setTimeout(() => {
        const open = document.querySelector("dialog[open]")?.id;
        lost(new Error(`at ${at()}, not ${version}; open: ${open}`));
    }, patience);
    look();
})"""
TAPS = """() => [...document.querySelectorAll("[data-tap]")].map((e) => ({
    ...JSON.parse(e.dataset.tap),
    names: [...new Set([...(e.elements ?? [])]
        .filter((field) => field.name && !field.dataset.part)
        .map((field) => field.name))],
}))"""
"""Everything on a page that sends an action, with the fields that it asks for."""


def followed(page, version, actions):
    """Wait until the page shows the table at ``version``; what is then seen, and found fault with.

    All ``actions`` of the view have to be on it: to be sent, or with the reason why they cannot be.
    """
    return page.evaluate(FOLLOWS, [version, PATIENCE_S * 1000, [_plain(action) for action in actions]])


def taps_on(page):
    """Everything on a page that sends an action, in its order: word, args, and the names of its fields."""
    return page.evaluate(TAPS)


def _plain(action):
    """What has to be on a page for an action: what it sends but for its fields, or why it is refused."""
    asked = {field.name for field in action.inputs}
    args = [[name, text] for name, text in action.args.items() if name not in asked]
    return {"word": action.word, "args": args, "refused": action.refused}
