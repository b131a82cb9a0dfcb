"""The schema that model files keep."""

from __future__ import annotations

import functools
import json
from importlib import resources
from typing import Any

import jsonschema

import ramify


@functools.cache
def validator() -> Any:
    schema = json.loads(resources.files(ramify).joinpath("model.schema.json").read_text("utf-8"))
    return jsonschema.Draft202012Validator(schema)
