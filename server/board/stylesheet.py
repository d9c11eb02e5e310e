"""The style sheet of boards in pages: what the variables of `themes.PAGE` are in each theme, and how links look.

python -m server.board.stylesheet > server/routes/pages/static/board.css
"""

import sys

from server.board.themes import THEMES, Theme, roles, variable

# What is a link glows at its edge; a pointer or the keyboard makes the edge thick. `fill-opacity` rather than a mixed
# colour, so that it works in every theme and browser.
_RULES = """
.board { display: block; width: 100%; height: auto; }
a.hit { cursor: pointer; -webkit-tap-highlight-color: transparent; }
a.hit .edge { fill: var(--b-accent); fill-opacity: .07; stroke: var(--b-accent); stroke-width: 2.2; }
a.hit.lit .edge, .lit > a.hit .edge { fill-opacity: .22; stroke-width: 3.5; }
@media (hover: hover) { a.hit:hover .edge { fill-opacity: .22; stroke-width: 3.5; } }
a.hit:active .edge { fill-opacity: .35; }
svg a.hit:focus, svg a.hit:focus-visible { outline: none; }
a.hit:focus-visible .edge { fill-opacity: .15; stroke: var(--b-ink); stroke-width: 4.5; }
/* What a push would move, while its gate is pointed at: a script sets the class. */
.lit > g > use { filter: drop-shadow(0 0 3px var(--b-accent)); }
/* Water that moves a little, slowly and by transforms alone: nothing has to be painted anew for it. */
@media (prefers-reduced-motion: no-preference) {
  .waves { animation: b-drift 9s ease-in-out infinite alternate; }
  .waves.back { animation-duration: 13s; animation-direction: alternate-reverse; }
  @keyframes b-drift { from { transform: translateX(-5px); } to { transform: translateX(7px); } }
}
@media (forced-colors: active) {
  a.hit .edge { stroke: LinkText; }
  a.hit:focus-visible .edge { stroke: Highlight; }
}
"""


def stylesheet() -> str:
    """Return the whole style sheet."""
    return "".join(
        (
            "/* Made by `python -m server.board.stylesheet`: change it there. */\n",
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
