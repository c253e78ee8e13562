"""One random stream for each tensor of a file."""

from __future__ import annotations

import hashlib

from minifloat._random import Key

__all__ = ["tensor_key"]


def tensor_key(seed: int, name: str) -> Key:
    """Return the key of a tensor: a function of the seed and its name alone.

    Tensors of different names get unrelated streams, whatever their order or number.

    Parameters
    ----------
    seed : int
        Not negative.
    name : str

    Returns
    -------
    Key
        ``Key(n)``, where n is the first 128 bits, little-endian, of the SHA-256 digest of the
        UTF-8 text ``"<seed>:<name>"``.
    """
    digest = hashlib.sha256(f"{seed}:{name}".encode()).digest()
    return Key(int.from_bytes(digest[:16], "little"))
