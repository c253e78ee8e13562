"""``minifloat popfloat``: Gfloat formats, casts of .npy files, and noise densities."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import cyclopts
import numpy as np
from cyclopts import Parameter

from minifloat import noise as densities
from minifloat._arrays import AnyArray
from minifloat._errors import FileFormatError, FormatError
from minifloat._flags import Flags
from minifloat.cli._console import console, new_table, print_json
from minifloat.cli._options import AsJson, Flag
from minifloat.interop._atomic import replacing
from minifloat.popfloat import FormatConfig, GfloatCast, RoundConfig, RoundType

__all__ = ["app"]

app = cyclopts.App(
    name="popfloat",
    help="Gfloat formats of any widths and bias, cast in seven rounding modes.",
    result_action="return_value",
)


@Parameter(name="*")
@dataclass(frozen=True)
class Widths:
    """The format.

    Parameters
    ----------
    mantissa : int
        Mantissa bits, 0 to 23.
    exponent : int
        Exponent bits, 0 to 8.
    bias : int
        Exponent bias; 2**(exponent - 1) - 1 when omitted.
    denorms : bool
        Whether there are denormals.
    specials : bool
        Whether there are infinities and NaN.
    calculation : str
        AUTO, FP32 or FP16.
    """

    mantissa: Annotated[int, Parameter(name=["--mantissa", "-m"])]
    exponent: Annotated[int, Parameter(name=["--exponent", "-e"])]
    bias: Annotated[int | None, Parameter(name=["--bias", "-b"])] = None
    denorms: bool = True
    specials: bool = True
    calculation: str = "AUTO"

    def config(self) -> FormatConfig:
        """Return the format.

        Returns
        -------
        FormatConfig
        """
        bias = self.bias
        if bias is None:
            if self.exponent < 1:
                msg = "--bias must be given for a format without exponent bits"
                raise FormatError(msg)
            bias = 2 ** (self.exponent - 1) - 1
        widths = (self.mantissa, self.exponent, bias)
        return FormatConfig(*widths, self.denorms, self.specials, self.calculation)


@Parameter(name="*")
@dataclass(frozen=True)
class Mode:
    """The rounding.

    Parameters
    ----------
    round_mode : str
        RZ, RA, RN, RU, RD, SR or SX.
    bits : int
        Random bits of SX.
    density : str
        Noise density of SX, such as TRUNCATED_NORMAL.
    offset : float
        Mean of the noise, in quanta.
    scale : float
        Scale of the noise; needed by all densities but UNIFORM and BERNOULLI.
    min_ : float
        Lower limit of the noise; needed by all densities but BERNOULLI.
    max_ : float
        Upper limit of the noise; needed by all densities but BERNOULLI.
    bernoulli : float
        Probability of rounding towards zero under BERNOULLI.
    """

    round_mode: Annotated[str, Parameter(name=["--round", "-r"])] = "RN"
    bits: int = 24
    density: str = "INVALID"
    offset: float = 0.0
    scale: float | None = None
    min_: Annotated[float | None, Parameter(name="--min")] = None
    max_: Annotated[float | None, Parameter(name="--max")] = None
    bernoulli: float = 0.0

    def config(self) -> RoundConfig:
        """Return the rounding.

        Returns
        -------
        RoundConfig
        """
        noise = (self.density, self.offset, self.scale, self.max_, self.min_, self.bernoulli)
        return RoundConfig(self.round_mode, self.bits, *noise)


@app.command
def show(*, widths: Widths, as_json: AsJson = False) -> None:
    """Show what popfloat makes of a format: types, limits, and the packed parameter word.

    Parameters
    ----------
    widths : Widths
        The format.
    as_json : bool
        Print JSON.
    """
    config = widths.config()
    record = _record(config)
    if as_json:
        print_json(record)
        return
    table = new_table("", "", left=2)
    for name, value in record.items():
        table.add_row(name.replace("_", " "), f"{value:#010x}" if "word" in name else str(value))
    console().print(table)


def _record(config: FormatConfig) -> dict[str, Any]:
    fmt = config.to_format()
    return {
        "format": str(fmt),
        "format_type": config.format_type.name,
        "calculation_type": config.calculation_type.name,
        "native_type": config.native_type.name,
        "storage_type": config.storage_type.name,
        "packed_bits": config.packed_float_bits,
        "parameter_word": config.packed_float_parameters,
        "block_float": config.is_block_float,
        "largest": float(fmt.max),
        "smallest_normal": float(fmt.smallest_normal),
        "smallest": float(fmt.smallest),
    }


@app.command
def cast(
    source: Annotated[Path, Parameter(name="IN")],
    target: Annotated[Path, Parameter(name="OUT")],
    /,
    *,
    widths: Widths,
    mode: Mode | None = None,
    nanoo: bool = True,
    store: str = "AUTO",
    seed: int | None = None,
    nan: str | None = None,
    compat: str | None = None,
    force: Flag = False,
    as_json: AsJson = False,
) -> None:
    """Cast a .npy file of floats to a Gfloat format: packed words, or values on its grid.

    Parameters
    ----------
    source : Path
        The file to read.
    target : Path
        The file to write, whole or not at all.
    widths : Widths
        The format.
    mode : Mode
        The rounding.
    nanoo : bool
        Finite overflow becomes NaN instead of the largest value.
    store : str
        AUTO, INT8, INT16, FP16 or FP32.
    seed : int
        Of the random bits; SR and SX need one.
    nan : str
        What NaN becomes in a format without it: propagate, raise, max or zero.
    compat : str
        "popfloat" for the library's own deviations.
    force : bool
        Replace the output if it exists.
    as_json : bool
        Print JSON.
    """
    rounds = (mode or Mode()).config()
    options: dict[str, Any] = {"compat": compat, "nan": nan}
    gf = GfloatCast(widths.config(), rounds, nanoo, store, **options)
    x = _load(source)
    flags = Flags()
    stochastic = gf.round_mode in (RoundType.SR, RoundType.SX)
    result = gf.cast_native_to_gfloat(x, rng=seed if stochastic else None, flags=flags)
    _save(target, result, force=force)
    counts = {str(flag.name).lower(): count for flag, count in flags.counts.items() if count}
    word = gf.format_config.packed_float_parameters
    record = {"elements": result.size, "dtype": result.dtype.name, "parameter_word": word}
    if as_json:
        print_json(record | {"flags": counts})
        return
    raised = ", ".join(f"{name} {count}" for name, count in counts.items()) or "no flags"
    print(f"{target}: {result.size} elements of {result.dtype.name}, word {word:#010x}; {raised}")


@app.command
def uncast(
    source: Annotated[Path, Parameter(name="IN")],
    target: Annotated[Path, Parameter(name="OUT")],
    /,
    *,
    word: Annotated[str, Parameter(name=["--word", "-w"])],
    native: str = "AUTO",
    force: Flag = False,
) -> None:
    """Turn packed words of a .npy file back into values, exactly.

    Parameters
    ----------
    source : Path
        The file to read: int8 or int16.
    target : Path
        The file to write, whole or not at all.
    word : str
        The packed parameter word that `cast` printed, such as 0x030f0502.
    native : str
        AUTO, FP16 or FP32.
    force : bool
        Replace the output if it exists.
    """
    try:
        config = FormatConfig.from_packed_parameters(int(word, 0))
    except ValueError as error:
        msg = f"--word {word}: {error}"
        raise FormatError(msg) from None
    gf = GfloatCast(config, RoundConfig("RZ"), False, native_type=native)
    values = gf.cast_gfloat_to_native(_load(source))
    _save(target, values, force=force)
    print(f"{target}: {values.size} elements of {values.dtype.name}")


@app.command
def noise(
    density: str,
    /,
    *,
    bits: int = 4,
    plot: Path | None = None,
    force: Flag = False,
    as_json: AsJson = False,
) -> None:
    """Show a noise density: the probability of rounding up by the discarded fraction.

    Parameters
    ----------
    density : str
        Such as uniform, normal:std=0.2 or truncated_laplace:scale=0.1,low=-0.25,high=0.25.
    bits : int
        Random bits, 1 to 16: how finely the noise is taken.
    plot : Path
        Draw it into this file, of the kind that its suffix says.
    force : bool
        Replace the drawing if it exists.
    as_json : bool
        Print JSON.
    """
    found = densities.from_text(density)
    fractions = np.arange(2**bits) / 2.0**bits if 1 <= bits <= 16 else np.zeros(0)
    chances, mass = found.probability_up(fractions), found.mass(bits)
    if plot is not None:
        _draw(found, bits, plot, force=force)
    if as_json:
        columns = {"fraction": fractions, "probability_up": chances, "noise_mass": mass}
        record = {name: column.tolist() for name, column in columns.items()}
        print_json({"noise": str(found), "bits": bits} | record)
        return
    print(found)
    table = new_table("fraction", "P(up)", "P(noise = fraction)", left=0)
    for row in zip(fractions, chances, mass, strict=True):
        table.add_row(*(f"{value:.8g}" for value in row))
    console().print(table)


def _draw(found: densities.Noise, bits: int, path: Path, *, force: bool) -> None:
    figure = found.plot(bits)[0].figure
    try:
        with replacing(path, force=force) as file:
            figure.savefig(file, dpi=120, format=path.suffix[1:] or "png")
    finally:
        import matplotlib.pyplot as plt

        plt.close(figure)


def _load(path: Path) -> AnyArray:
    try:
        with path.open("rb") as file:
            return np.lib.format.read_array(file, allow_pickle=False)
    except (ValueError, EOFError) as error:
        msg = f"{path} is no .npy file of numbers: {error}"
        raise FileFormatError(msg) from None


def _save(path: Path, array: AnyArray, *, force: bool) -> None:
    with replacing(path, force=force) as file:
        np.lib.format.write_array(file, np.asarray(array), allow_pickle=False)
