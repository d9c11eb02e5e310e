"""The style sheet of boards in pages: the variables of `themes.PAGE` in each theme, and links (`links.css`)."""

from importlib.resources import files

from server.board.themes import THEMES, Theme, variable


def stylesheet() -> str:
    """Return the whole style sheet."""
    return "".join(
        (
            _block(":root", THEMES["light"]),
            "@media (prefers-color-scheme: dark) {\n",
            _block(":root:not([data-theme])", THEMES["dark"], "  "),
            "}\n",
            _block(':root[data-theme="dark"]', THEMES["dark"]),
            _block(':root[data-theme="colour-blind-auto"],\n:root[data-theme="colour-blind"]', THEMES["colour-blind"]),
            _block(':root[data-theme="colour-blind-dark"]', THEMES["colour-blind-dark"]),
            "@media (prefers-color-scheme: dark) {\n",
            _block(':root[data-theme="colour-blind-auto"]', THEMES["colour-blind-dark"], "  "),
            "}\n",
            (files("server.board") / "links.css").read_text("utf-8"),
        )
    )


def _block(selector: str, theme: Theme, indent: str = "") -> str:
    lines, line = [], ""
    for role, color in theme.roles.items():
        entry = f"{variable(role)}: {color};"
        if line and len(indent) + 2 + len(line) + 1 + len(entry) > 120:
            lines.append(line)
            line = ""
        line = f"{line} {entry}".lstrip()
    body = "".join(f"{indent}  {each}\n" for each in (*lines, line))
    return f"{indent}{selector} {{\n{body}{indent}}}\n"
