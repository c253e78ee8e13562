"""Train a small network whose weights live in a Gfloat format, under several roundings.

A two-layer network learns scikit-learn's handwritten digits. Its weights are stored in 1/4/3, its
gradients are cast to 1/5/2, and no wider copy is kept: an update smaller than half a quantum is
lost by rounding to nearest and by truncation, but survives on average under stochastic rounding.

Run ``python examples/popfloat_training.py`` (a few seconds; needs matplotlib and scikit-learn).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from sklearn.datasets import load_digits

import minifloat as mf
from minifloat.popfloat import FormatConfig, GfloatCast, RoundConfig

Array = npt.NDArray[np.float32]

WEIGHTS = FormatConfig(3, 4, 9, enable_denorms=True, enable_infs_and_nans=False)
GRADIENTS = FormatConfig(2, 5, 21, enable_denorms=True, enable_infs_and_nans=True)
ROUNDINGS: dict[str, RoundConfig | None] = {
    "single precision": None,
    "RZ": RoundConfig("RZ"),
    "RN": RoundConfig("RN"),
    "SX, 4 random bits": RoundConfig("SX", 4),
    "SX, normal noise": RoundConfig("SX", 12, "NORMAL", scale=0.2, min=-0.5, max=0.5),
    "SR": RoundConfig("SR"),
}
BATCH, RATE, HIDDEN = 64, 0.05, 48


class Rounder:
    """Casts of weights and gradients, with fresh random bits at every call."""

    def __init__(self, rounds: RoundConfig | None, seed: int) -> None:
        self.key = mf.Key(seed)
        self.casts = {}
        if rounds is not None:
            for fmt in (WEIGHTS, GRADIENTS):
                self.casts[fmt] = GfloatCast(fmt, rounds, False, "FP32")

    def __call__(self, x: Array, fmt: FormatConfig) -> Array:
        """Return `x` on the format's grid; `x` itself without a rounding."""
        if not self.casts:
            return x
        rounded: Array = self.casts[fmt].cast_native_to_gfloat(x, rng=self.key)
        self.key = self.key.at(x.size)
        return rounded


def load() -> tuple[Array, npt.NDArray[np.int64]]:
    """Return pixels in [0, 1], shape (n, 64), and digits, shape (n,)."""
    digits = load_digits()
    return (digits.data / 16).astype(np.float32), digits.target


def forward(x: Array, weights: list[Array]) -> tuple[Array, Array]:
    hidden = np.maximum(x @ weights[0], 0)
    logits = hidden @ weights[1]
    logits -= logits.max(axis=1, keepdims=True)
    powers = np.exp(logits)
    return hidden, powers / powers.sum(axis=1, keepdims=True)


def gradients(x: Array, hot: Array, weights: list[Array], rounder: Rounder) -> list[Array]:
    hidden, chances = forward(x, weights)
    above = rounder((chances - hot) / len(x), GRADIENTS)
    below = rounder((above @ weights[1].T) * (hidden > 0), GRADIENTS)
    return [rounder(x.T @ below, GRADIENTS), rounder(hidden.T @ above, GRADIENTS)]


def train(rounds: RoundConfig | None, epochs: int, seed: int = 0) -> tuple[list[float], float]:
    """Return the loss after every epoch, and the final share of right answers."""
    x, digits = load()
    hot = np.eye(10, dtype=np.float32)[digits]
    rng = np.random.default_rng(seed)
    rounder = Rounder(rounds, seed)
    start = [rng.normal(size=(64, HIDDEN)) / 8, rng.normal(size=(HIDDEN, 10)) / 7]
    weights = [rounder(w.astype(np.float32), WEIGHTS) for w in start]
    losses = []
    for _ in range(epochs):
        order = rng.permutation(len(x))
        for first in range(0, len(x), BATCH):
            chosen = order[first : first + BATCH]
            steps = gradients(x[chosen], hot[chosen], weights, rounder)
            weights = [rounder(w - RATE * g, WEIGHTS) for w, g in zip(weights, steps, strict=True)]
        chances = forward(x, weights)[1]
        losses.append(float(-np.log(chances[np.arange(len(x)), digits] + 1e-9).mean()))
    right = float((forward(x, weights)[1].argmax(axis=1) == digits).mean())
    return losses, right


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=25)
    parser.add_argument("--output", type=Path, default=Path("popfloat_training.png"))
    arguments = parser.parse_args()
    mpl.use("Agg")
    import matplotlib.pyplot as plt

    _, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
    for name, rounds in ROUNDINGS.items():
        losses, right = train(rounds, arguments.epochs)
        print(f"{name:20s} loss {losses[-1]:.3f}, right {right:.1%}")
        axes.plot(range(1, len(losses) + 1), losses, label=f"{name} ({right:.0%} right)")
    axes.set(xlabel="epoch", ylabel="loss", yscale="log", title="weights 1/4/3, gradients 1/5/2")
    axes.legend()
    plt.savefig(arguments.output, dpi=120)
    print(f"curves in {arguments.output}")


if __name__ == "__main__":
    main()
