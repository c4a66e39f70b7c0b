"""Compiled Jinja templates that all apps of a test run share.

A test has an app of its own, and an app compiles every template that it shows: more than half of
the time of all web tests. Templates with the same source and settings have the same code.
"""

from types import CodeType

from flask import Flask
from jinja2 import BytecodeCache, Environment
from jinja2.bccache import Bucket


class CompiledTemplates(BytecodeCache):
    """Compiled code by settings of the compiler, template and source."""

    def __init__(self) -> None:
        self._codes: dict[tuple[object, ...], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._codes.get(_key(bucket))

    def dump_bytecode(self, bucket: Bucket) -> None:
        assert bucket.code is not None
        self._codes[_key(bucket)] = bucket.code


def _key(bucket: Bucket) -> tuple[object, ...]:
    by: Environment = bucket.environment
    how = (by.code_generator_class, by.context_class, by.trim_blocks, by.lstrip_blocks)
    return (*how, bucket.key, bucket.checksum)


def share_compiled_templates() -> None:
    """Have every Flask app of this process use one cache."""
    Flask.jinja_options = {"bytecode_cache": CompiledTemplates()}
