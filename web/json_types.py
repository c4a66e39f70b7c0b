"""Types of JSON values, whose shape only the code that reads them knows."""

from typing import Any, TypeAlias

Json: TypeAlias = Any
JsonObject: TypeAlias = dict[str, Json]
