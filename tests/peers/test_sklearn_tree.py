"""scikit-learn's own tests of its trees, on ours: each passes, or `differences` says why not."""

from __future__ import annotations

import pytest

from peers.differences import DIFFERENCES, IS_SORTED
from peers.sklearn_source import with_ours

_MODULE = with_ours()
if _MODULE is None:
    pytest.skip("scikit-learn was installed without its tests", allow_module_level=True)


@pytest.fixture
def global_random_seed() -> int:
    """Their fixture, with one seed."""
    return 42


@pytest.mark.skipif(not IS_SORTED, reason="the tests of this release were not sorted")
def test_every_difference_is_about_a_test() -> None:
    names = [name for name in globals() if name.startswith("test_")]
    assert [key for key in DIFFERENCES if not any(key.startswith(name) for name in names)] == [
        "test_build_pruned_tree"  # the beginning of two
    ]


globals().update({k: v for k, v in vars(_MODULE).items() if k.startswith("test_")})
