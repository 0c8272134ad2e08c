"""A workbook's cell styles, as far as they say how a number is shown."""

from collections.abc import Mapping

from lxml import etree

from bythebook.deliverables.evidence.elements import child_of, children

BUILT_IN: Mapping[int, str] = {
    0: "General",
    1: "0",
    2: "0.00",
    3: "#,##0",
    4: "#,##0.00",
    5: '"$"#,##0_);\\("$"#,##0\\)',
    6: '"$"#,##0_);[Red]\\("$"#,##0\\)',
    7: '"$"#,##0.00_);\\("$"#,##0.00\\)',
    8: '"$"#,##0.00_);[Red]\\("$"#,##0.00\\)',
    9: "0%",
    10: "0.00%",
    11: "0.00E+00",
    12: "# ?/?",
    13: "# ??/??",
    14: "m/d/yyyy",
    15: "d-mmm-yy",
    16: "d-mmm",
    17: "mmm-yy",
    18: "h:mm AM/PM",
    19: "h:mm:ss AM/PM",
    20: "h:mm",
    21: "h:mm:ss",
    22: "m/d/yyyy h:mm",
    27: 'yyyy"年"m"月"',
    28: 'm"月"d"日"',
    29: 'm"月"d"日"',
    30: "m-d-yy",
    31: 'yyyy"年"m"月"d"日"',
    32: 'h"时"mm"分"',
    33: 'h"时"mm"分"ss"秒"',
    36: 'yyyy"年"m"月"',
    37: "#,##0_);(#,##0)",
    38: "#,##0_);[Red](#,##0)",
    39: "#,##0.00_);(#,##0.00)",
    40: "#,##0.00_);[Red](#,##0.00)",
    41: '_(* #,##0_);_(* \\(#,##0\\);_(* "-"_);_(@_)',
    42: '_("$"* #,##0_);_("$"* \\(#,##0\\);_("$"* "-"_);_(@_)',
    43: '_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)',
    44: '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)',
    45: "mm:ss",
    46: "[h]:mm:ss",
    47: "mm:ss.0",
    48: "##0.0E+0",
    49: "@",
    50: 'yyyy"年"m"月"',
    51: 'm"月"d"日"',
    57: 'yyyy"年"m"月"',
    58: 'm"月"d"日"',
}
"""Part 1, 18.8.30; 27 to 36 and 50 to 58 as in Chinese, which most often writes them."""
LONGEST = 255
"""Characters of a code, as in Excel."""


def number_formats(styles: etree._Element | None) -> tuple[str, ...]:
    """The code of each cell style (`cellXfs`), in order; empty where there are no styles."""
    own = {
        _number(found.get("numFmtId")): (found.get("formatCode") or "General")[:LONGEST]
        for found in children(child_of(styles, "numFmts"), "numFmt")
    }
    known = {**BUILT_IN, **own}
    return tuple(
        known.get(_number(style.get("numFmtId")), "General")
        for style in children(child_of(styles, "cellXfs"), "xf")
    )


def _number(text: str | None) -> int:
    return int(text) if text and text.isdecimal() else 0
