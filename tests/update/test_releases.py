"""A release at a place: which one is meant, and that it is as its checksum says."""

import re
from hashlib import sha256
from pathlib import Path

import pytest

from companion.core.errors import Malformed
from companion.update.releases import find_release, is_in_release
from companion.update.signature import SUMS


def put_release(folder: Path, version: str = "1.2.0", sums: bool = True) -> Path:
    """A release as it is given away; its archive has nothing in it."""
    folder.mkdir(parents=True, exist_ok=True)
    archive = folder / f"table_companion-{version}.tar.gz"
    archive.write_bytes(version.encode())
    (folder / f"table_companion-{version}-py3-none-any.whl").write_bytes(b"wheel")
    if sums:
        digest = sha256(archive.read_bytes()).hexdigest()
        (folder / SUMS).write_text(f"{digest}  {archive.name}\n")
    return archive


def test_archive_wheel_folder_and_stick_mean_the_same_release(tmp_path: Path) -> None:
    archive = put_release(tmp_path / "stick/dist/1.2.0")
    wheel = archive.with_name("table_companion-1.2.0-py3-none-any.whl")
    for place in (archive, wheel, archive.parent, tmp_path / "stick"):
        assert find_release(place) == (archive, "1.2.0", None, True)


def test_the_newest_of_several_counts(tmp_path: Path) -> None:
    for version in ("0.9.0", "0.10.1", "0.10"):
        put_release(tmp_path / version, version)
    assert find_release(tmp_path).version == "0.10.1"


def test_libraries_beside_it_come_along(tmp_path: Path) -> None:
    archive = put_release(tmp_path, sums=False)
    (tmp_path / "libraries").mkdir()
    assert find_release(tmp_path) == (archive, "1.2.0", tmp_path / "libraries", False)


def test_a_clone_is_taken_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "systemd").mkdir()
    (tmp_path / "systemd/install").touch()
    assert find_release(tmp_path) == (tmp_path, "", None, False)


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda a: a.write_bytes(b"other"), "1.2.0.tar.gz is not as SHA256SUMS says: copy the rel"),
        (lambda a: a.with_name(SUMS).write_text("\n"), "SHA256SUMS does not name table_companion-"),
        (lambda a: a.rename(a.with_name("a.tgz")), "there is no release: no table_companion-VERS"),
    ],
)
def test_a_release_that_is_not_whole_is_refused(damage: object, says: str, tmp_path: Path) -> None:
    archive = put_release(tmp_path)
    assert callable(damage)
    damage(archive)
    with pytest.raises(Malformed, match=says.replace(".", r"\.")):
        find_release(tmp_path)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("notes.txt", "is no release: that is a file table_companion-VERSION.tar.gz."),
        ("table_companion-1.0-py3-none-any.whl", "has no installer for a Pi: put the .tar.gz of"),
        ("nowhere", "cannot be read: No such file or directory."),
    ],
)
def test_other_files_are_refused(name: str, says: str, tmp_path: Path) -> None:
    if name != "nowhere":
        (tmp_path / name).touch()
    with pytest.raises(Malformed) as refused:
        find_release(tmp_path / name)
    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("name", "is_in"),
    [
        ("x.deb", True), ("apt/pool/trixie/x.deb", True), ("a/b/c/d/x.deb", False),
        ("../x.deb", False), ("/x.deb", False), ("a//x.deb", False), (".a/x.deb", False),
        ("a/../x.deb", False), ("x.deb\n", False),
    ],
)  # fmt: skip
def test_only_a_path_within_a_release_is_fetched(name: str, is_in: bool) -> None:
    assert is_in_release(name, re.compile("x.deb")) is is_in
