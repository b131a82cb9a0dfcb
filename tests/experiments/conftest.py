"""The experiments are scripts in a folder of their own. Without it there is nothing to test."""

from __future__ import annotations

import sys

from helpers.paths import EXPERIMENTS

if EXPERIMENTS.is_dir():
    sys.path.append(str(EXPERIMENTS))
else:
    collect_ignore_glob = ["test_*.py"]
