"""The drawing of a procedure as SVG: boxes with their words, ways on, and ways back (dashed)."""

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from bythebook.build.sop.flow import END
from bythebook.build.sop.graph import LETTER, LINE, PAD, Arrow, Box, draw
from bythebook.conduct.sops import Sop

STYLE = (
    "text{font-family:'DejaVu Sans Mono',Menlo,Consolas,'Courier New',monospace;"
    f"font-size:{LETTER:g}px;fill:#1d2733}}"
    ".name{font-weight:bold}.decide{font-style:italic;fill:#7a4a00}"
    "rect{fill:#f6f8fa;stroke:#50606f}.choice rect{fill:#fff8e8;stroke:#b07d2b}"
    ".end rect{fill:#e6efe8;stroke:#3e7350}"
    "path{fill:none;stroke:#50606f}.back{stroke:#b3402a;stroke-dasharray:5 4}"
)
MARKER = (
    '<marker id="{id}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
    'orient="auto"><path d="M0 0 8 4 0 8z" style="fill:{fill};stroke:none"/></marker>'
)


def svg(sop: Sop) -> str:
    """One picture, complete in itself."""
    drawing = draw(sop)
    choices = {step.id for step in sop.steps if step.decide}
    size = f'width="{drawing.width:g}" height="{drawing.height:g}"'
    view = f'viewBox="0 0 {drawing.width:g} {drawing.height:g}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view} role="img">',
        f"<title>{escape(sop.title)}</title>",
        f"<style>{STYLE}</style><defs>",
        MARKER.format(id="on", fill="#50606f"),
        MARKER.format(id="back", fill="#b3402a"),
        "</defs>",
        *map(_arrow, drawing.arrows),
        *(line for box in drawing.boxes for line in _box(box, box.id in choices)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _arrow(arrow: Arrow) -> str:
    way = " ".join(f"{x:.1f} {y:.1f}" for x, y in arrow.points)
    kind = "back" if arrow.back else "on"
    says = f"{arrow.start} {'returns to' if arrow.back else 'to'} {arrow.to}"
    return (
        f'<path class="{kind}" d="M{way}" marker-end="url(#{kind})" '
        f"data-way={quoteattr(says)}><title>{escape(says)}</title></path>"
    )


def _box(box: Box, choice: bool) -> Iterator[str]:
    kind = "end" if box.id == END else "choice" if choice else "step"
    yield f'<g class="{kind}" id={quoteattr(box.id)}>'
    yield (
        f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" '
        f'height="{box.height:.1f}" rx="{14 if kind == "end" else 5}"/>'
    )
    for number, (words, style) in enumerate(box.lines, start=1):
        y = box.y + PAD + number * LINE - 4
        yield f'<text class="{style}" x="{box.x + PAD:.1f}" y="{y:.1f}">{escape(words)}</text>'
    yield "</g>"
