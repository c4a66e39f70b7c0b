"""Samples that depend on their test alone.

Hypothesis mixes constants of the code that is loaded into what it draws. Which modules those are
depends on the tests that ran before in the same process, so that `derandomize` alone would give
every run, and every change to any module, other samples.
"""

from hypothesis.internal.conjecture.providers import Constants, HypothesisProvider


def draw_fixed_samples() -> None:
    """Have Hypothesis draw without the constants of the code that is loaded.

    Hypothesis has no setting for this.
    """
    HypothesisProvider._local_constants = Constants()  # type: ignore[assignment]
