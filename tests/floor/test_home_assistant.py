"""What Home Assistant is told, and the examples for it: all of one piece.

The fields are those of Home Assistant's published schema for the discovery of a device. That schema
itself, as Home Assistant ships it, is asked in the largest runs: it needs a Python of its own and
some minutes to be installed, unless the variable HOME_ASSISTANT names a Python that has it.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from companion.floor.table_state import CalledStaff, TableState
from companion.floor.topics import (
    ALL_TABLES,
    discovery_document,
    discovery_topic,
    online_topic,
    state_topic,
)
from tests.worlds.paths import ROOT

TABLE = "0123456789ab"
STATE = TableState(name="Table 7", place="Window", game="Box", companion="0.1.0")
EXAMPLES = ROOT / "docs/home-assistant"
SHARED = {"availability_topic", "payload_available", "payload_not_available", "state_topic"}
DEVICE = {"identifiers", "manufacturer", "model", "name", "suggested_area", "sw_version"}
ENTITY = {"platform", "unique_id", "name", "value_template"}
OF_THE_CAFE = {"light.lamp_over_table_7", "notify.staff_phones", "scene.before_table_7_judge"}
"""What the head of the examples says is the reader's own, and what they make of it."""
SERVICES = {"scene.create", "scene.turn_on", "scene.delete", "light.turn_on"}


RELEASE = ("homeassistant==2025.4.4", "paho-mqtt==2.1.0")
"""One that knows devices in discovery, and the client that its integration asks for."""
ASK_SCHEMA = """
import asyncio, json, sys
from homeassistant.components.mqtt import binary_sensor, discovery, schemas, sensor
from homeassistant.core import HomeAssistant

topic, document = json.load(sys.stdin)

async def ask():
    home = HomeAssistant(".")
    found = discovery.TOPIC_MATCHER.match(topic.removeprefix("homeassistant/"))
    assert found.groups()[:2] == ("device", None), topic
    schemas.DEVICE_DISCOVERY_SCHEMA(document)
    shared = {name: document[name] for name in schemas.SHARED_OPTIONS if name in document}
    for name, entity in document["components"].items():
        platform = {"sensor": sensor, "binary_sensor": binary_sensor}[entity.pop("platform")]
        own = {**shared, **entity, "device": document["device"], "origin": document["origin"]}
        left = own.keys() - platform.DISCOVERY_SCHEMA(own).keys()
        assert not left, f"{name}: not understood: {left}"

asyncio.run(ask())
"""
Ask = Callable[[str, dict[str, Any]], "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def ask_schema(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """What asks a real Home Assistant about a document, at a topic."""
    python = os.environ.get("HOME_ASSISTANT") or install_release(tmp_path_factory.mktemp("home"))

    def ask(topic: str, document: dict[str, Any]) -> "subprocess.CompletedProcess[str]":
        told = json.dumps([topic, document])
        return subprocess.run(
            [python, "-c", ASK_SCHEMA], input=told, capture_output=True, text=True, check=False
        )

    return ask


def install_release(folder: Path) -> str:
    """Install Home Assistant; return the Python that has it, or skip."""
    found = shutil.which("python3.13") or next(
        map(str, Path.home().glob(".pyenv/versions/3.13*/bin/python")), None
    )
    if found is None:
        pytest.skip("Home Assistant 2025.4 needs Python 3.13.")
    subprocess.run([found, "-m", "venv", folder], check=True)
    python = str(folder / "bin/python")
    done = subprocess.run([python, "-m", "pip", "install", "--quiet", *RELEASE], check=False)
    if done.returncode:
        pytest.skip("pip installs no Home Assistant here.")
    return python


@pytest.mark.large
def test_a_real_home_assistant_understands_all_of_the_document(ask_schema: Ask) -> None:
    document = discovery_document(TABLE, STATE)
    done = ask_schema(discovery_topic(TABLE), document)
    assert done.returncode == 0, done.stderr


@pytest.mark.large
@pytest.mark.parametrize("spoil", ["device", "origin", "components", "unknown", "platform", "id"])
def test_a_real_home_assistant_refuses_what_is_no_such_document(
    ask_schema: Ask, spoil: str
) -> None:
    """Otherwise the test before could not fail."""
    document = discovery_document(TABLE, STATE)
    if spoil == "unknown":
        document["components"]["game"]["weather"] = "fine"
    elif spoil == "platform":
        document["components"]["game"]["platform"] = "weather"
    elif spoil == "id":
        document["components"]["game"].pop("unique_id")
    else:
        document.pop(spoil)
    refused = ask_schema(discovery_topic(TABLE), document)
    assert refused.returncode != 0
    assert re.search(r"voluptuous.*Invalid|not understood", refused.stderr), refused.stderr


def own_entities() -> set[str]:
    """The ids that Home Assistant gives: the platform, the device's name, the entity's name."""
    document = discovery_document(TABLE, STATE)
    named = [(one["platform"], one["name"]) for one in document["components"].values()]
    words = [f"{document['device']['name']} {name}" for _, name in named]
    slugs = [re.sub(r"\W+", "_", word.lower()) for word in words]
    return {f"{platform}.{slug}" for (platform, _), slug in zip(named, slugs, strict=True)}


def texts(value: Any) -> Iterator[str]:
    """Every text in a document."""
    if isinstance(value, dict):
        for each in value.values():
            yield from texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts(each)
    elif isinstance(value, str):
        yield value


def test_the_document_has_the_fields_of_the_schema_and_no_others() -> None:
    document = discovery_document(TABLE, STATE)
    assert set(document) == {"device", "origin", "components", *SHARED}
    assert set(document["device"]) == DEVICE
    assert set(document["origin"]) == {"name", "sw_version"}
    for component in document["components"].values():
        assert set(component) == ENTITY
        assert component["platform"] in {"sensor", "binary_sensor"}
    ids = [one["unique_id"] for one in document["components"].values()]
    assert len(set(ids)) == len(ids)
    assert re.fullmatch(r"homeassistant/device/[a-zA-Z0-9_-]+/config", discovery_topic(TABLE))
    assert document["state_topic"] == state_topic(TABLE)
    assert document["availability_topic"] == online_topic(TABLE)


@pytest.mark.parametrize("name", ["automations.yaml", "dashboard.yaml"])
def test_the_examples_name_only_entities_that_are_there(name: str) -> None:
    written = yaml.safe_load((EXAMPLES / name).read_text("utf-8"))
    named = re.compile(r"\b(?:sensor|binary_sensor|light|scene|notify)\.[a-z0-9_]+")
    found = {each for text in texts(written) for each in named.findall(text)} - SERVICES
    assert found & own_entities()
    assert found <= own_entities() | OF_THE_CAFE
    guide = (ROOT / "docs/home-assistant.md").read_text("utf-8")
    assert all(f"`{entity}`" in guide for entity in own_entities())


def test_the_lamp_is_red_while_the_judge_is_called() -> None:
    first = yaml.safe_load((EXAMPLES / "automations.yaml").read_text("utf-8"))[0]
    assert first["triggers"][0]["entity_id"] == "binary_sensor.table_7_judge_called"
    (choice,) = first["actions"]
    assert choice["then"][-1]["data"]["color_name"] == "red"
    (kept,) = choice["then"][0]["then"]
    assert kept["action"] == "scene.create"
    assert "is none" in choice["then"][0]["if"], "a lamp that is red already is not kept so"
    assert [step.get("action") for step in choice["else"]] == [
        None, "scene.turn_on", "scene.delete",
    ]  # fmt: skip


def test_the_flow_is_wired_and_hears_what_tables_publish() -> None:
    flow = json.loads((EXAMPLES / "node-red.json").read_text("utf-8"))
    nodes = {node["id"]: node for node in flow}
    wires = [to for node in flow for output in node.get("wires", []) for to in output]
    assert wires
    assert set(wires) <= set(nodes)
    heard = next(node for node in flow if node["type"] == "mqtt in")
    assert heard["topic"] in ALL_TABLES
    assert nodes[heard["broker"]]["type"] == "mqtt-broker"
    used = set(re.findall(r"told\.(\w+)(?:\.(\w+))?", nodes["called"]["func"]))
    assert {name for name, _ in used} <= set(TableState.__struct_fields__)
    assert {part for _, part in used if part} <= set(CalledStaff.__struct_fields__)
