"""Signs that Word writes as a place in a symbol font, as the letters a reader sees."""

# ruff: noqa: RUF001 - signs and Greek letters, however Latin they look

WINGDINGS = {
    0x4A: "☺", 0x6C: "●", 0x6E: "■", 0x6F: "☐", 0x71: "❑", 0x76: "❖", 0x9F: "•", 0xA7: "▪",
    0xA8: "☐", 0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xF0: "⇨", 0xFB: "✗",
    0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
SYMBOL = {
    0x2D: "−", 0x44: "Δ", 0x46: "Φ", 0x47: "Γ", 0x4C: "Λ", 0x50: "Π", 0x51: "Θ", 0x53: "Σ",
    0x57: "Ω", 0x61: "α", 0x62: "β", 0x63: "χ", 0x64: "δ", 0x65: "ε", 0x66: "φ", 0x67: "γ",
    0x68: "η", 0x6B: "κ", 0x6C: "λ", 0x6D: "μ", 0x6E: "ν", 0x70: "π", 0x71: "θ", 0x72: "ρ",
    0x73: "σ", 0x74: "τ", 0x77: "ω", 0x78: "ξ", 0x79: "ψ", 0x7A: "ζ", 0xA3: "≤", 0xA5: "∞",
    0xAB: "↔", 0xAC: "←", 0xAD: "↑", 0xAE: "→", 0xAF: "↓", 0xB0: "°", 0xB1: "±", 0xB3: "≥",
    0xB4: "×", 0xB5: "∝", 0xB7: "•", 0xB8: "÷", 0xB9: "≠", 0xBA: "≡", 0xBB: "≈", 0xC5: "⊕",
    0xCE: "∈", 0xD5: "∏", 0xD6: "√", 0xDE: "⇒", 0xE5: "∑", 0xF2: "∫",
}  # fmt: skip
FONTS = {"wingdings": WINGDINGS, "symbol": SYMBOL}


def symbol(font: str, code: str) -> str:
    """`font` and hexadecimal `code` as in `w:sym`; a sign that we do not know names itself."""
    try:
        point = int(code, 16)
    except ValueError:
        return ""
    known = FONTS.get(font.strip().lower(), {}).get(point & 0xFF)
    if known is not None:
        return known
    if 0xE000 <= point <= 0xF8FF or not 0x20 <= point < 0xD800:
        return f"[sign {point:04X} of {font}]"
    return chr(point)
