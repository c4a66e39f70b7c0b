"""The OCI image: its layout and its bytes, and a whole one that shows a German page."""

import gzip
import hashlib
import io
import json
import os
import shutil
import signal
import socket
import subprocess
import tarfile
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from releasing.debian_packages import NAME
from releasing.oci_image import COMMAND, PASSING, clean_root, make_image, write_image
from releasing.source import Source
from tests.systemd.test_real_debian import needs_debian
from tests.worlds.paths import ROOT

MOMENT = 1_700_000_000


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A small system in a folder."""
    folder = tmp_path / "root"
    for name in (*PASSING, "etc", "usr/bin", "var/lib/dpkg"):
        (folder / name).mkdir(parents=True)
    (folder / "usr/bin/companion").write_text("#!/bin/sh\n")
    (folder / "usr/bin/companion").chmod(0o755)
    (folder / "bin").symlink_to("usr/bin")
    for name in ("etc/hostname", "etc/passwd-", "var/log/apt.log", "var/lib/dpkg/status-old"):
        (folder / name).write_text("here\n")
    return folder


def read_image(image: Path) -> tuple[dict[str, Any], bytes]:
    """Return config and layer of an image, every blob compared with its digest."""
    with tarfile.open(image) as archive:
        files = {m.name: f.read() for m in archive if (f := archive.extractfile(m))}
    assert json.loads(files["oci-layout"]) == {"imageLayoutVersion": "1.0.0"}

    def blob(told: dict[str, Any]) -> bytes:
        data = files[f"blobs/{told['digest'].replace(':', '/')}"]
        assert f"sha256:{hashlib.sha256(data).hexdigest()}" == told["digest"]
        assert len(data) == told["size"]
        return data

    manifest = json.loads(blob(json.loads(files["index.json"])["manifests"][0]))
    config = json.loads(blob(manifest["config"]))
    layer = gzip.decompress(blob(manifest["layers"][0]))
    assert config["rootfs"]["diff_ids"] == [f"sha256:{hashlib.sha256(layer).hexdigest()}"]
    return config, layer


def test_an_image_has_the_layout_of_oci_and_nothing_of_its_maker(
    root: Path, tmp_path: Path
) -> None:
    clean_root(root)
    write_image(root, tmp_path / "a.tar", "1.2.0", MOMENT)
    config, layer = read_image(tmp_path / "a.tar")
    assert config["config"]["Entrypoint"] == ["/usr/bin/companion"]
    assert (config["config"]["Cmd"], config["config"]["User"]) == (COMMAND, "companion")
    with tarfile.open(fileobj=io.BytesIO(layer)) as archive:
        names = archive.getnames()
        assert {member.mtime for member in archive} == {MOMENT}
        assert archive.getmember("usr/bin/companion").mode == 0o755
        assert archive.getmember("bin").linkname == "usr/bin"
    assert names == sorted(names)
    assert not {"etc/hostname", "etc/passwd-", "var/log/apt.log"} & set(names)


def test_the_same_files_make_the_same_bytes(root: Path, tmp_path: Path) -> None:
    write_image(root, tmp_path / "a.tar", "1.2.0", MOMENT)
    os.utime(root / "usr/bin/companion", (1, 1))
    write_image(root, tmp_path / "b.tar", "1.2.0", MOMENT)
    assert (tmp_path / "a.tar").read_bytes() == (tmp_path / "b.tar").read_bytes()


@pytest.mark.large
@needs_debian
@pytest.mark.timeout(1200)
def test_a_whole_image_plays_in_german_and_is_the_same_twice(tmp_path: Path) -> None:
    image = make_image(Source(ROOT), tmp_path / "one")
    assert image.name.startswith(NAME)
    again = make_image(Source(ROOT), tmp_path / "two")
    first, second = (hashlib.sha256(path.read_bytes()).digest() for path in (image, again))
    config, layer = read_image(image)
    root = tmp_path / "root"
    with tarfile.open(fileobj=io.BytesIO(layer)) as archive:
        archive.extractall(root, filter="fully_trusted")
    for name, minor in (("null", "3"), ("urandom", "9")):  # What any runtime of images brings.
        subprocess.run(["mknod", "-m", "666", root / "dev" / name, "c", "1", minor], check=True)
    assert '<html lang="de"' in ask_page(root, config["config"])
    assert first == second


def ask_page(root: Path, config: dict[str, Any]) -> str:
    """Run what the image runs, in German, as its user; return the page of the table."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    command = [*config["Entrypoint"], *config["Cmd"][:-1], port, "--lang", "de"]
    environ = dict(line.split("=", 1) for line in config["Env"])
    chroot = shutil.which("chroot") or "/usr/sbin/chroot"
    enter = [chroot, f"--userspec={config['User']}", str(root), *command]
    with subprocess.Popen(enter, env=environ, start_new_session=True) as table:
        try:
            return fetch(f"http://127.0.0.1:{port}/table")
        finally:
            os.killpg(table.pid, signal.SIGKILL)


def fetch(address: str) -> str:
    """Return a page, as soon as it is there."""
    end = time.monotonic() + 120
    while True:
        try:
            with urllib.request.urlopen(address, timeout=10) as page:
                return str(page.read().decode())
        except OSError:
            assert time.monotonic() < end, "no page comes"
            time.sleep(0.3)
