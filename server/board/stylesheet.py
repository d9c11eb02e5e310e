"""The style sheet of boards in pages: what the variables of `themes.PAGE` are in each theme, and how links look.

python -m server.board.stylesheet > server/routes/pages/static/board.css
"""

import sys

from server.board.themes import COLOUR_BLIND, DARK, LIGHT, Theme, roles, variable

# What is a link glows at its edge; a pointer or the keyboard makes the edge thick. `fill-opacity` rather than a mixed
# colour, so that it works in every theme and browser.
_RULES = """
.board { display: block; width: 100%; height: auto; }
.hit { cursor: pointer; outline: none; -webkit-tap-highlight-color: transparent; }
.hit .area { fill: var(--b-accent); fill-opacity: .07; stroke: var(--b-accent); stroke-width: 2; }
.hit:hover .area, .hit.lit .area { fill-opacity: .2; stroke-width: 3; }
.hit:focus-visible .area { fill-opacity: .12; stroke: var(--b-ink); stroke-width: 4; stroke-dasharray: none; }
.hit:active .area { fill-opacity: .3; }
@media (forced-colors: active) {
  .hit .area { stroke: LinkText; }
  .hit:focus-visible .area { stroke: Highlight; }
}
"""


def stylesheet() -> str:
    """Return the whole style sheet."""
    return "".join(
        (
            "/* Made by `python -m server.board.stylesheet`: change it there. */\n",
            _block(":root", LIGHT),
            "@media (prefers-color-scheme: dark) {\n",
            _block(":root:not([data-theme])", DARK, "  "),
            "}\n",
            _block(':root[data-theme="dark"]', DARK),
            _block(':root[data-theme="colour-blind"]', COLOUR_BLIND),
            _RULES,
        )
    )


def _block(selector: str, theme: Theme, indent: str = "") -> str:
    lines, line = [], ""
    for role, color in roles(theme).items():
        entry = f"{variable(role)}: {color};"
        if line and len(indent) + 2 + len(line) + 1 + len(entry) > 120:
            lines.append(line)
            line = ""
        line = f"{line} {entry}".lstrip()
    body = "".join(f"{indent}  {each}\n" for each in (*lines, line))
    return f"{indent}{selector} {{\n{body}{indent}}}\n"


if __name__ == "__main__":
    sys.stdout.write(stylesheet())
