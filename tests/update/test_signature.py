"""Signed releases, at a place and at an address: what is believed, and what is not."""

import http.server
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from companion.core.errors import Malformed
from companion.update.packages import package_files
from companion.update.releases import NoRelease, find_release
from companion.update.repository import configured_address, fetch_release
from companion.update.signature import SIGNATURE, SUMS, check_signature
from tests.worlds.makers_key import Maker


@pytest.fixture(scope="module")
def maker(tmp_path_factory: pytest.TempPathFactory) -> Maker:
    return Maker(tmp_path_factory.mktemp("maker"))


def test_a_release_of_the_maker_is_believed(maker: Maker, tmp_path: Path) -> None:
    archive = maker.release(tmp_path)
    check_signature(tmp_path, maker.key)
    assert find_release(tmp_path) == (archive, "9.9.0", None, True)


def test_what_another_one_signed_changed_or_did_not_sign_is_not(
    maker: Maker, tmp_path: Path
) -> None:
    maker.release(tmp_path)
    other = Maker(tmp_path / "other")
    with pytest.raises(Malformed, match="is not by the maker whose key this table knows"):
        check_signature(tmp_path, other.key)
    (tmp_path / SUMS).write_text((tmp_path / SUMS).read_text() + "0  more\n")
    with pytest.raises(Malformed, match="is not by the maker"):
        check_signature(tmp_path, maker.key)
    (tmp_path / SIGNATURE).unlink()
    with pytest.raises(Malformed, match="This release is not signed: there is no SHA256SUMS"):
        check_signature(tmp_path, maker.key)
    with pytest.raises(Malformed, match="This table knows no maker's key"):
        check_signature(tmp_path, tmp_path / "nowhere.asc")
    (tmp_path / SIGNATURE).write_text("nothing\n")
    (tmp_path / "odd.asc").write_text("-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n%%%\n")
    with pytest.raises(Malformed, match="This table knows no maker's key"):
        check_signature(tmp_path, tmp_path / "odd.asc")


class QuietFolder(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A folder, and the address at which it is served."""
    folder = tmp_path / "served"
    folder.mkdir()
    handler = partial(QuietFolder, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield folder, f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_the_newest_release_at_an_address_is_fetched(
    maker: Maker, served: tuple[Path, str], tmp_path: Path
) -> None:
    folder, address = served
    maker.release(folder)
    into = tmp_path / "into"
    into.mkdir()
    release = fetch_release(address, into, demands_signature=True)
    assert release == (into / "table_companion-9.9.0.tar.gz", "9.9.0", None, True)
    check_signature(into, maker.key)
    assert sorted(path.name for path in into.iterdir()) == [SUMS, SIGNATURE, release.path.name]


def test_for_a_flashed_card_the_package_of_its_system_is_fetched_and_told_how_far(
    maker: Maker, served: tuple[Path, str], tmp_path: Path
) -> None:
    folder, address = served
    maker.release(folder, package=b"x" * 200_000)
    into, told = tmp_path / "into", list[tuple[int, int]]()
    into.mkdir()
    wanted = package_files("13", "arm64")
    release = fetch_release(address, into, True, wanted, lambda come, of: told.append((come, of)))
    assert release.path == into / "apt/pool/trixie/table-companion_9.9.0+deb13_arm64.deb"
    assert (release.version, release.folder, release.is_checked) == ("9.9.0", into, True)
    fetched = {path.name for path in into.rglob("*.*")} - {SIGNATURE}
    assert fetched == {release.path.name, "table-companion-kiosk_9.9.0+deb13_all.deb"}
    assert told[-1] == (200_000, 200_000)
    assert len(told) > 2
    with pytest.raises(NoRelease, match=r"no release for this Debian: no file .*deb14_amd64"):
        fetch_release(address, into, True, package_files("14", "amd64"))


def test_an_address_that_is_not_safe_empty_or_damaged_is_refused(
    maker: Maker, served: tuple[Path, str], tmp_path: Path
) -> None:
    folder, address = served
    for unsafe in (address, "file:///etc/", "ftp://x/"):
        with pytest.raises(Malformed, match="it begins with https://"):
            fetch_release(unsafe, tmp_path, demands_signature=False)
    with pytest.raises(NoRelease):
        fetch_release(address, tmp_path, demands_signature=True)
    maker.release(folder).write_bytes(b"other")
    with pytest.raises(Malformed, match="is not as SHA256SUMS says"):
        fetch_release(address, tmp_path, demands_signature=True)
    with pytest.raises(Malformed, match="cannot be fetched"):
        fetch_release("http://127.0.0.1:9/", tmp_path, demands_signature=True)


def test_the_address_is_a_line_of_the_config(tmp_path: Path) -> None:
    config = tmp_path / "companion.toml"
    assert configured_address(config) == ""
    config.write_text('updates = "https://example.org/table"\n')
    assert configured_address(config) == "https://example.org/table"
    config.write_text("updates = \n")
    assert configured_address(config) == ""
