// A module of the game's own, which every page loads.
document.documentElement.dataset.wicks = "loaded";
