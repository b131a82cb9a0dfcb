"""The JSON schema of model files."""

from __future__ import annotations

import functools
import json
from importlib import resources
from typing import Any

import jsonschema

import ramify


def schema() -> Any:
    """Read the schema that is published with the package."""
    return json.loads(resources.files(ramify).joinpath("model.schema.json").read_text("utf-8"))


@functools.cache
def validator() -> Any:
    """Give what refuses documents that do not satisfy the schema."""
    jsonschema.Draft202012Validator.check_schema(schema())
    return jsonschema.Draft202012Validator(schema())
