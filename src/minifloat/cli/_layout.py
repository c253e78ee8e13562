"""The bits of a code by field, and their colours."""

from __future__ import annotations

from rich.text import Text

from minifloat._formats import FloatFormat, Format, HiFloat8Format

__all__ = ["bit_fields", "bits_text", "code_text", "layout_text", "painted"]

_STYLES = {
    "sign": "bold red",
    "dot": "bold magenta",
    "exponent": "bold green",
    "trailing": "bold blue",
    "integer": "bold blue",
    "unused": "dim",
}

# HiFloat8's prefix of the low seven bits, and the widths of exponent and trailing field after it.
_HIFLOAT8 = {
    "11": (4, 1),
    "10": (3, 2),
    "01": (2, 3),
    "001": (1, 3),
    "0001": (0, 3),
    "0000": (0, 3),
}


def bit_fields(code: int, fmt: Format) -> list[tuple[str, str]]:
    """Split a code into its fields, from the top bit down.

    Parameters
    ----------
    code : int
    fmt : Format

    Returns
    -------
    list of (str, str)
        What the field is (``"sign"``, ``"exponent"``, ``"trailing"``, HiFloat8's ``"dot"``,
        ``"integer"``, ``"unused"``) and its bits.

    Examples
    --------
    >>> from minifloat._formats import get_format
    >>> bit_fields(0x2A, get_format("e4m3fn"))
    [('sign', '0'), ('exponent', '0101'), ('trailing', '010')]
    """
    bits = f"{code:0{fmt.code_bits}b}"
    widths = [("sign", int(fmt.signed and not _is_integer(fmt)))]
    if isinstance(fmt, FloatFormat):
        widths += [("exponent", fmt.exponent_bits), ("trailing", fmt.trailing_bits)]
    elif isinstance(fmt, HiFloat8Format):
        dot = next(dot for dot in _HIFLOAT8 if bits[1:].startswith(dot))
        exponent, trailing = _HIFLOAT8[dot]
        widths += [("dot", len(dot)), ("exponent", exponent), ("trailing", trailing)]
    else:
        widths += [("integer", fmt.bits)]
    fields = []
    for label, width in [*widths, ("unused", fmt.code_shift)]:
        if width:
            fields.append((label, bits[:width]))
        bits = bits[width:]
    return fields


def bits_text(code: int, fmt: Format) -> str:
    """Return a code's bits with a blank between fields.

    Parameters
    ----------
    code : int
    fmt : Format

    Returns
    -------
    str

    Examples
    --------
    >>> from minifloat._formats import get_format
    >>> bits_text(0x2A, get_format("e4m3fn"))
    '0 0101 010'
    """
    return " ".join(bits for _, bits in bit_fields(code, fmt))


def code_text(code: int, fmt: Format) -> str:
    """Return a code in hexadecimal, as wide as the format.

    Parameters
    ----------
    code : int
    fmt : Format

    Returns
    -------
    str
    """
    return f"0x{code:0{-(-fmt.code_bits // 4)}x}"


def painted(code: int, fmt: Format) -> Text:
    """Return a code's bits, coloured by field.

    Parameters
    ----------
    code : int
    fmt : Format

    Returns
    -------
    rich.text.Text
    """
    parts = [(bits, _STYLES[label]) for label, bits in bit_fields(code, fmt)]
    return Text(" ").join(Text(bits, style=style) for bits, style in parts)


def layout_text(fmt: Format) -> Text:
    """Return the format's fields and widths, coloured as its bits are.

    Parameters
    ----------
    fmt : Format

    Returns
    -------
    rich.text.Text
    """
    if isinstance(fmt, HiFloat8Format):
        words = [("1 sign", "sign"), ("2-4 dot", "dot"), ("0-4 exponent", "exponent")]
        words.append(("1-3 trailing", "trailing"))
    else:
        words = [(f"{len(bits)} {label}", label) for label, bits in bit_fields(0, fmt)]
    return Text(" + ").join(Text(word, style=_STYLES[label]) for word, label in words)


def _is_integer(fmt: Format) -> bool:
    return not isinstance(fmt, (FloatFormat, HiFloat8Format))
