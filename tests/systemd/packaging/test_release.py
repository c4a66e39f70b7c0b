"""What a release says of itself: version, changes, parts and checksums, and when there is none."""

import hashlib
import json
import os
import re
import subprocess
import tarfile
import tomllib
import zipfile
from importlib.metadata import PackageNotFoundError, metadata, requires, version
from pathlib import Path
from typing import Any

import pytest

from companion import __version__
from hardware.gpio_package import NEW, OLD
from installer.libraries import LOCKS, normalize
from releasing.bill import write_bill
from releasing.distributions import settle_tar, settle_zip
from releasing.release import (
    check_tools,
    compare_builds,
    main,
    make_release,
    write_sums,
    write_update,
)
from releasing.source import ReleaseFailed, Source, check_changes, read_changes, read_version
from tests.worlds.built_wheel import source_here
from tests.worlds.paths import ROOT

MOMENT = 1_700_000_000


def test_the_version_is_written_in_one_place() -> None:
    assert read_version(ROOT) == version("table-companion") == __version__
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["dynamic"] == ["version"]


def test_every_version_has_its_changes() -> None:
    changes = read_changes(ROOT)
    assert changes[__version__]
    numbers = [tuple(map(int, name.split("."))) for name in changes if name != "Unreleased"]
    assert numbers == sorted(set(numbers), reverse=True)


def tree(folder: Path, number: str, changes: str) -> Path:
    """A source with this version and these changes."""
    (folder / "companion").mkdir(parents=True)
    (folder / "companion/__init__.py").write_text(f'"""It."""\n\n__version__ = "{number}"\n')
    (folder / "CHANGELOG.md").write_text(f"# Changes\n\n{changes}")
    return folder


@pytest.mark.parametrize(
    ("number", "changes", "says"),
    [
        ("1.1", "## 1.1\n\n- New.\n\n## 1.0\n\n- Old.\n", None),
        ("1.1", "## Unreleased\n\n## 1.1\n\n- New.\n", None),
        ("1.1", "## Unreleased\n\n- Newer.\n\n## 1.1\n\n- New.\n", "changes under Unreleased"),
        ("1.2", "## 1.1\n\n- New.\n", "is 1.1, in companion/__init__.py 1.2"),
    ],
)
def test_nothing_is_released_whose_changes_have_no_version(
    number: str, changes: str, says: str | None, tmp_path: Path
) -> None:
    source = tree(tmp_path, number, changes)
    if says is None:
        check_changes(source)
        return
    with pytest.raises(ReleaseFailed, match=re.escape(says)):
        check_changes(source)


def test_a_release_of_another_tag_or_of_files_not_committed_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clone = tree(tmp_path / "clone", "1.1", "## 1.1\n\n- New.\n")
    author = ("-c", "user.name=Ana", "-c", "user.email=ana@example.org")
    for words in (("init",), ("add", "."), (*author, "commit", "--message=New")):
        subprocess.run(["git", "-C", str(clone), *words], check=True, capture_output=True)
    out = ["--out", str(tmp_path / "out")]
    assert main([*out, "--tag", "v1.2"], clone) == 2
    assert capsys.readouterr().err == "The tag is v1.2, and the version is 1.1.\n"
    (clone / "CHANGELOG.md").write_text("# Changes\n")
    assert main(out, clone) == 2
    assert capsys.readouterr().err.startswith("Some files differ from the commit")
    assert not (tmp_path / "out").exists()


def parts() -> dict[str, Any]:
    return {part["name"]: part for part in json.loads(write_bill(ROOT, MOMENT))["components"]}


def asked_for() -> set[str]:
    """Every library that the project asks for itself: to run, for extras, to build it, on a Pi."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    extras = project["project"]["optional-dependencies"]
    for tool in ("dev", "build"):  # To test it, and to draw its parts: no table has those.
        del extras[tool]
    wanted = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    wanted += [each for extra in extras.values() for each in extra]
    names = {normalize(re.split(r"[ ;<>=~!\[]", each, maxsplit=1)[0]) for each in wanted}
    return {*names, *map(normalize, (OLD, NEW, "spidev", "lgpio"))}


def test_the_list_of_parts_names_everything_that_is_asked_for() -> None:
    found = parts()
    assert asked_for() <= found.keys()
    assert {name for name, part in found.items() if part.get("scope") == "optional"} >= {
        "zeroconf", "ifaddr", "lgpio", "rpi-gpio", "rpi-lgpio", "spidev", "pyscard",
    }  # fmt: skip
    needed = [req for req in requires("table-companion") or () if "extra ==" not in req]
    for each in needed:
        name = normalize(re.split(r"[ ;<>=~!\[]", each, maxsplit=1)[0])
        assert found[name]["scope"] == "required", name


def test_the_list_of_parts_names_what_those_libraries_ask_for_in_turn() -> None:
    """As they say themselves, where they are installed."""
    found = parts()
    for name in found:
        try:
            wanted = requires(name) or []
        except PackageNotFoundError:
            continue
        for each in wanted:
            marker = each.partition(";")[2]
            if not re.search("extra|win32|Windows|python_version|darwin|implementation", marker):
                assert normalize(re.split(r"[ ;<>=~!\[(]", each, maxsplit=1)[0]) in found, each


PACKED_KINDS = (".whl", ".woff2", ".ttf")


def test_the_list_of_parts_has_every_file_of_others_that_we_pack() -> None:
    told = write_bill(ROOT, MOMENT)
    ask = ["git", "-C", str(ROOT), "ls-files", "hardware", "web", "companion"]
    names = subprocess.run(ask, check=True, capture_output=True, text=True).stdout.splitlines()
    packed = [name for name in names if name.endswith(PACKED_KINDS) or "/vendor/" in name]
    packed = [name for name in packed if not name.endswith("manifest.toml")]
    assert len(packed) >= 6
    for name in packed:
        assert hashlib.sha256((ROOT / name).read_bytes()).hexdigest() in told, name


def test_the_list_of_parts_says_each_licence_and_hash() -> None:
    listed = tomllib.loads((ROOT / LOCKS / "licences.toml").read_text("utf-8"))
    for name, part in parts().items():
        ((licence,),) = (part["licenses"],)
        assert re.fullmatch(
            r"[A-Za-z0-9.+-]+(?: (?:AND|OR) [A-Za-z0-9.+-]+)*", licence["expression"]
        )
        assert re.search("[0-9a-f]{64}", json.dumps(part)), name
        if name in listed:
            check_papers(name, listed[name])


KINDS = {"BSD License": "BSD", "MIT License": "MIT", "Apache Software License": "Apache"}


def check_papers(name: str, licence: str) -> None:
    """What a library that is installed says of itself is what we say of it."""
    try:
        papers = metadata(name)
    except PackageNotFoundError:
        return
    if "License-Expression" in papers:
        assert papers["License-Expression"] == licence, name
    for kind in papers.get_all("Classifier") or ():
        if kind.startswith("License :: OSI Approved :: "):
            assert KINDS.get(kind.rpartition(" :: ")[2], "") in licence, name


def test_the_list_of_parts_is_the_same_for_the_same_commit() -> None:
    assert write_bill(ROOT, MOMENT) == write_bill(ROOT, MOMENT)
    told = json.loads(write_bill(ROOT, MOMENT))
    assert (told["bomFormat"], told["specVersion"]) == ("CycloneDX", "1.6")
    assert told["metadata"]["component"]["version"] == __version__
    assert told["metadata"]["timestamp"] == "2023-11-14T22:13:20+00:00"


def test_what_we_pack_is_what_was_published() -> None:
    folder = ROOT / "hardware/vendor"
    manifest = tomllib.loads((folder / "manifest.toml").read_text("utf-8"))
    files = {part["file"]: part["sha256"] for part in manifest.values()}
    assert {path.name for path in folder.iterdir()} == {"manifest.toml", *files}
    for name, digest in files.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest


@pytest.mark.parametrize(("kind", "settle"), [(".tar.gz", settle_tar), (".whl", settle_zip)])
def test_an_archive_forgets_where_and_when_it_was_packed(
    kind: str, settle: Any, tmp_path: Path
) -> None:
    packed = []
    for number, names in enumerate((("b", "a"), ("a", "b"))):
        for name in names:
            path = tmp_path / name
            path.write_text(f"the file {name}")
            path.chmod((0o600, 0o664)[number])
            os.utime(path, (MOMENT - number * 9999, MOMENT - number * 9999))
        archive = tmp_path / f"{number}{kind}"
        if kind == ".whl":
            with zipfile.ZipFile(archive, "w") as made:
                for name in names:
                    made.write(tmp_path / name, name)
        else:
            with tarfile.open(archive, "w:gz") as made_tar:
                for name in names:
                    made_tar.add(tmp_path / name, name)
        settle(archive, MOMENT)
        packed.append(archive.read_bytes())
    assert packed[0] == packed[1]


def test_builds_that_differ_are_no_release(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "other")]
    for folder in folders:
        folder.mkdir()
        (folder / "it.whl").write_text(folder.name)
    one, other = ([folder / "it.whl"] for folder in folders)
    compare_builds(one, one)
    with pytest.raises(ReleaseFailed, match=re.escape("it.whl differs")):
        compare_builds(one, other)


@pytest.mark.wide
@pytest.mark.timeout(600)
def test_a_release_has_what_it_says_and_the_same_bytes_twice(tmp_path: Path) -> None:
    source = source_here()
    releases = []
    for name in ("one", "two"):
        make_release(source, tmp_path / name, "", snapshot=True, more=())
        releases.append(tmp_path / name / __version__)
    names = {path.name for path in releases[0].iterdir()}
    assert names == {
        f"table_companion-{__version__}.tar.gz",
        f"table_companion-{__version__}-py3-none-any.whl",
        f"table-companion-{__version__}.cdx.json",
        f"table-companion-{__version__}.update",
        "CHANGES.md",
        "SHA256SUMS",
    }
    for name in names:
        first, second = ((folder / name).read_bytes() for folder in releases)
        assert first == second, name
    check = ["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"]
    subprocess.run(check, cwd=releases[0], check=True)
    with tarfile.open(next(releases[0].glob("*.update"))) as update:
        assert {each.name for each in update} == {
            "SHA256SUMS",
            f"table_companion-{__version__}.tar.gz",
        }


def test_what_cannot_be_made_here_is_named_before_anything_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for more, says in (
        (("packages",), "dpkg-deb is missing"),
        (("image",), "root and debootstrap"),
    ):
        with pytest.raises(ReleaseFailed, match=says):
            check_tools(more)
    check_tools(())


def test_the_checksums_are_read_by_the_usual_command(tmp_path: Path) -> None:
    (tmp_path / "apt").mkdir()
    (tmp_path / "apt/Release").write_text("Origin: it\n")
    (tmp_path / "it.whl").write_text("it")
    write_sums(tmp_path)
    check = ["sha256sum", "--check", "--strict", "SHA256SUMS"]
    done = subprocess.run(check, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "apt/Release: OK\nit.whl: OK\n"


def test_one_file_holds_what_a_table_needs_however_it_was_installed(tmp_path: Path) -> None:
    names = ["a.tar.gz", "a.whl", "libraries/b.whl", "apt/pool/trixie/c.deb", "apt/pool/c.txt"]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    sums = write_sums(tmp_path).read_text()
    assert "  apt/pool/trixie/c.deb\n" in sums
    (tmp_path / "SHA256SUMS.asc").touch()
    with tarfile.open(write_update(tmp_path, "1.0", MOMENT)) as packed:
        held = packed.getnames()
    assert held == sorted(["SHA256SUMS", "SHA256SUMS.asc", *names[:1], *names[2:4]])


def test_a_commit_that_comes_meanwhile_does_not_come_along(tmp_path: Path) -> None:
    clone = tree(tmp_path / "clone", "1.1", "## 1.1\n\n- New.\n")
    author = ("-c", "user.name=Ana", "-c", "user.email=ana@example.org")
    git = ["git", "-C", str(clone)]
    commit = [*git, *author, "commit", "--all", "--message=New"]
    for words in ([*git, "init"], [*git, "add", "."], commit):
        subprocess.run(words, check=True, capture_output=True)
    source = Source(clone).pin()
    (clone / "CHANGELOG.md").write_text("# Changes\n")
    subprocess.run(commit, check=True, capture_output=True)
    unpacked = source.unpack(tmp_path / "unpacked")
    assert "1.1" in (unpacked / "CHANGELOG.md").read_text()
    assert source.pin() == source
