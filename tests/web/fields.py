"""Filling in an action's inputs with a thumb."""

SIDES = ".ol"

COVERS = """(e) => {
    const covers = [];
    for (let at = e; at; at = at.parentElement) {
        const fold = at.matches("details:not([open])") && !at.querySelector(":scope > summary").contains(e);
        if (fold) covers.unshift(["details", [...document.querySelectorAll("details")].indexOf(at)]);
        if (at.matches("dialog:not([open])")) covers.unshift(["dialog", at.id]);
        if (at.matches("[data-veil]:not([data-shown])")) {
            covers.unshift(["veil", [...document.querySelectorAll("[data-veil]")].indexOf(at)]);
        }
    }
    return covers;
}"""
"""What lies over a control, the outermost first: folds, sheets and veils."""


def bring_to_light(page, control):
    """Open by taps whatever a control lies in; a form is shown where its own fold is open."""
    for kind, which in control.evaluate(COVERS):
        if kind == "details":
            page.locator("details").nth(which).locator("> summary").click()
        elif kind == "dialog":
            page.locator(f'[data-opens="{which}"]').first.click()
        else:
            # by key: a finger that a busy machine lifts late would be one that holds the veil up
            veiled = page.locator("section", has=page.locator("[data-veil]").nth(which))
            veiled.locator("[data-unveil]").press("Enter")


def fill(control, asked, value):
    """Give the field of an open form its value, however it is asked for."""
    field = control.locator(f'[name="{asked.name}"]')
    match asked.kind:
        case "choice" if len(asked.choices) > 8:
            field.select_option(value)
        case "choice":
            _choice(control, asked.name, value).click()
        case "several":
            for one, _ in asked.choices:
                chosen = _choice(control, asked.name, one)
                if chosen.locator("input").is_checked() != (one in value.split(",")):
                    chosen.click()
        case "tile":
            _tile(control.locator("tile-editor"), value)
        case _:
            field.fill(value)


def _choice(control, name, value):
    return control.locator("label.choice", has=control.page.locator(f'[name="{name}"][value="{value}"]'))


def _tile(editor, text):
    """Describe a tile part by part; its text is name:icon:number:sides:passage."""
    name, icon, number, sides, passage = text.split(":")
    editor.locator('[data-part="name"]').fill(name)
    if icon != "scene":
        editor.locator("label.choice", has=editor.page.locator(f'[value="{icon}"]')).click()
    steps = int(number) - int(editor.locator('[data-part="number"]').inner_text())
    for _ in range(abs(steps)):
        editor.locator(f'[data-step="{1 if steps > 0 else -1}"]').click()
    for place, kind in enumerate(sides):
        side = editor.locator(f'[data-side="{place}"]')
        for _ in range((SIDES.index(kind) - SIDES.index(side.get_attribute("data-value"))) % len(SIDES)):
            side.click()
    editor.locator('[data-part="passage"]').select_option(passage)
