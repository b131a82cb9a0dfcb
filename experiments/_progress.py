"""The progress bar of the experiments, which is that of `ramify.evaluate`."""

from ramify.evaluate._progress import ProgressBar

__all__ = ["ProgressBar"]
