"""Model files of every format there was load for ever, and answer as they did when written.

`tests/fixtures/models/format-N` was written by the last release of format N, with its own answers.
"""

from __future__ import annotations

import json

import numpy as np
import pytest
from helpers.model_mutations import use
from helpers.old_models import MODELS, answers
from helpers.paths import TESTS

import ramify
from ramify.files import dumps, loads
from ramify.files.model import VERSION
from ramify.learning import model as learning

FOLDER = TESTS / "fixtures" / "models"
FILES = sorted(
    path.relative_to(FOLDER).with_suffix("").as_posix()
    for path in FOLDER.glob("*/*.json")
    if not path.stem.endswith(".answers")
)


@pytest.mark.parametrize("name", FILES)
def test_an_old_file_answers_as_it_did(name: str) -> None:
    model = ramify.load(FOLDER / f"{name}.json")
    said = json.loads((FOLDER / f"{name}.answers.json").read_text(encoding="utf-8"))
    new, _ = MODELS[name.partition("/")[2].replace("_", " ")]
    for one in (model, loads(dumps(model))):
        found = answers(one, new())
        assert found.keys() == said.keys()
        for what, expected in said.items():
            if hasattr(one, "tree_") or (what == "predict" and hasattr(one, "classes_")):
                assert found[what] == expected, what
            else:  # sums of several trees, exponentials
                np.testing.assert_allclose(found[what], expected, rtol=1e-12)
    use(model)


@pytest.mark.parametrize("name", FILES)
def test_no_file_is_of_a_later_format_than_its_folder(name: str) -> None:
    head = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    assert 1 <= head["version"] <= int(name.partition("/")[0].removeprefix("format-"))


def test_every_format_is_there() -> None:
    found = {path.name for path in FOLDER.iterdir()}
    assert found == {f"format-{number}" for number in range(1, VERSION + 1)}, (
        "write the folder of a new format: python -m helpers.old_models (docs/model-format.md)"
    )


def test_the_newest_format_has_every_model_and_estimator() -> None:
    newest = FOLDER / f"format-{VERSION}"
    for name in MODELS:
        assert (newest / f"{name.replace(' ', '_')}.json").exists(), name
    estimators = {
        json.loads(path.read_text(encoding="utf-8"))["estimator"]
        for path in newest.glob("*.json")
        if not path.stem.endswith(".answers")
    }
    assert estimators == set(learning.MODELS)
