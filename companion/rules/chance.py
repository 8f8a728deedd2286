"""Shuffles that are facts: drawn from a text that the table took from the operating system.

The order follows from the text alone (SHA-256 in counter mode, rejection sampling), so a replay
deals alike on every machine and Python version.
"""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")


def shuffled(deal: str, pile: str, items: Iterable[T]) -> tuple[T, ...]:
    """``items`` in the order that ``deal`` gives the pile called ``pile`` (Fisher-Yates, unbiased).

    >>> shuffled("an evening", "suspects", "abcdef") == shuffled("an evening", "suspects", "abcdef")
    True
    """
    order = list(items)
    words = _words(f"{deal}/{pile}")
    for last in range(len(order) - 1, 0, -1):
        other = _below(last + 1, words)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def _below(bound: int, words: Iterator[int]) -> int:
    limit = (1 << 64) - (1 << 64) % bound
    return next(word for word in words if word < limit) % bound


def _words(text: str) -> Iterator[int]:
    counter = 0
    while True:
        block = sha256(f"{text}/{counter}".encode()).digest()
        yield from (int.from_bytes(block[i : i + 8], "big") for i in range(0, 32, 8))
        counter += 1
