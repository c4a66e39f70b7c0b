"""Decoded JSON and TOML: objects and lists whose fields are not checked yet.

Law: what a document holds is only trusted after the code that reads a field has checked it.
"""

from typing import Any

JsonObject = dict[str, Any]
JsonArray = list[Any]
