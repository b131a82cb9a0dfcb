"""scikit-learn's own tests of its trees, on ours: each passes, or `differences` says why not."""

from __future__ import annotations

import pytest

from peers.sklearn_source import with_ours

_MODULE = with_ours()
if _MODULE is None:
    pytest.skip("scikit-learn was installed without its tests", allow_module_level=True)


@pytest.fixture
def global_random_seed() -> int:
    """Their fixture, with one seed."""
    return 42


globals().update({k: v for k, v in vars(_MODULE).items() if k.startswith("test_")})
