"""How a popfloat cast rounds: the mode, the number of random bits, and the noise density."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from minifloat import noise as densities
from minifloat._errors import OptionError
from minifloat._rounding import Rounding, Stochastic
from minifloat.popfloat._options import GfloatCastOptions
from minifloat.popfloat._types import RoundType, SRDensityType, as_member

__all__ = ["RoundConfig"]

_DETERMINISTIC = {
    RoundType.RZ: Rounding.TOWARD_ZERO,
    RoundType.RN: Rounding.TIES_TO_EVEN,
    RoundType.RA: Rounding.TIES_TO_AWAY,
    RoundType.RU: Rounding.TOWARD_POSITIVE,
    RoundType.RD: Rounding.TOWARD_NEGATIVE,
}
_SCALED: dict[SRDensityType, Callable[[float, float, float, float], densities.Noise]] = {
    SRDensityType.NORMAL: densities.Normal,
    SRDensityType.TRUNCATED_NORMAL: densities.TruncatedNormal,
    SRDensityType.LAPLACE: densities.Laplace,
    SRDensityType.TRUNCATED_LAPLACE: densities.TruncatedLaplace,
    SRDensityType.LOGISTIC: densities.Logistic,
    SRDensityType.TRUNCATED_LOGISTIC: densities.TruncatedLogistic,
    SRDensityType.LOGIT_NORMAL: densities.LogitNormal,
    SRDensityType.TRUNCATED_LOGIT_NORMAL: densities.TruncatedLogitNormal,
}
_CARRIER_BITS = 23
_TABLE_BITS = 16


@dataclass(frozen=True, slots=True)
class RoundConfig:
    """A rounding mode with what its randomness needs.

    Parameters
    ----------
    round_mode : RoundType or str
        ``"RZ"``, ``"RA"``, ``"RN"``, ``"RU"``, ``"RD"``, ``"SR"`` or ``"SX"``.
    num_sr_bits : int
        N: SX uses min(N, T) random bits, T the number of discarded ones. 0 truncates; what exceeds
        23 (16 with a density) counts as that.
    noise_density : SRDensityType or str
        For SX only.
    offset, scale : float
        Mean and scale of the noise; a scale is needed by all but UNIFORM and BERNOULLI.
    max, min : float
        Limits of the noise, needed by all but BERNOULLI: within [0, 1] for UNIFORM and the
        logit-normal densities, [-0.5, 0.5] for the others.
    bernoulli_prob : float
        Probability of rounding towards zero.

    Raises
    ------
    OptionError
        If a parameter is missing, out of range, or without effect in the mode.

    Examples
    --------
    >>> RoundConfig("SX", 8, "NORMAL", scale=0.1, min=-0.5, max=0.5).rounding
    Stochastic(bits=8, variant='floor', noise=Normal(mean=0.0, std=0.1, low=-0.5, high=0.5))
    """

    round_mode: RoundType | str
    num_sr_bits: int = 24
    noise_density: SRDensityType | str = SRDensityType.INVALID
    offset: float = 0.0
    scale: float | None = None
    max: float | None = None
    min: float | None = None
    bernoulli_prob: float = 0.0

    def __post_init__(self) -> None:
        mode = as_member(RoundType, self.round_mode)
        density = as_member(SRDensityType, self.noise_density)
        object.__setattr__(self, "round_mode", mode)
        object.__setattr__(self, "noise_density", density)
        if mode is RoundType.INV:
            msg = "round_mode=INV is no mode; choose RZ, RA, RN, RU, RD, SR or SX"
            raise OptionError(msg)
        if not 0 <= self.num_sr_bits <= 32:
            msg = f"num_sr_bits={self.num_sr_bits}: allowed are 0 to 32"
            raise OptionError(msg)
        if density is not SRDensityType.INVALID and mode is not RoundType.SX:
            msg = f"noise_density={density.name} needs round_mode=SX, not {mode.name}"
            raise OptionError(msg)
        _ = self.noise  # checks the parameters

    @classmethod
    def from_options(cls, options: GfloatCastOptions) -> RoundConfig:
        """Make the rounding that parsed options describe.

        Parameters
        ----------
        options : GfloatCastOptions

        Returns
        -------
        RoundConfig

        Raises
        ------
        OptionError
            As the class; the defaults choose no rounding mode.
        """
        return cls(
            options.round_mode,
            options.num_sr_bits,
            options.sr_noise_density,
            options.sr_noise_offset,
            options.sr_noise_scale,
            options.sr_noise_max,
            options.sr_noise_min,
            options.bernoulli_prob,
        )

    @property
    def noise(self) -> densities.Noise | None:
        """The density as a noise of the core, or None."""
        density = as_member(SRDensityType, self.noise_density)
        if density is SRDensityType.INVALID:
            return None
        if density is SRDensityType.BERNOULLI:
            return densities.Bernoulli(self.bernoulli_prob)
        low, high = self._needed("min", density), self._needed("max", density)
        if density is SRDensityType.UNIFORM:
            return densities.Uniform(low, high)
        scale = self._needed("scale", density)
        return _SCALED[density](self.offset, scale, low, high)

    @property
    def rounding(self) -> Rounding | Stochastic:
        """The rounding of the core that this is."""
        return self.core_rounding()

    def core_rounding(self, *, extra_bit: bool = False) -> Rounding | Stochastic:
        """Return the rounding of the core that this is.

        Parameters
        ----------
        extra_bit : bool
            SX without a density takes min(N + 1, T) random bits.

        Returns
        -------
        Rounding or Stochastic
        """
        mode = as_member(RoundType, self.round_mode)
        if mode in _DETERMINISTIC:
            return _DETERMINISTIC[mode]
        if mode is RoundType.SR:
            return Stochastic()
        density = self.noise
        if density is not None and density.jams:  # its probability takes no bits of the fraction
            return Stochastic(bits=1, noise=density)
        most = _CARRIER_BITS if density is None else _TABLE_BITS
        bits = min(self.num_sr_bits, most) + (extra_bit and density is None)
        return Stochastic(bits=bits, noise=density) if bits else Rounding.TOWARD_ZERO

    def _needed(self, name: str, density: SRDensityType) -> float:
        value: float | None = getattr(self, name)
        if value is None:
            msg = f"noise_density={density.name} needs {name}="
            raise OptionError(msg)
        return value
