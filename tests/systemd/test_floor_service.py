"""The floor as a service under a real systemd, beside a real Mosquitto: it comes up, comes back,
sees only its own, and the broker reads the logins that it makes. Nothing of its units is left out.
"""

import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.floor.broker_accounts import BrokerAccounts
from tests.worlds.mosquitto import find_mosquitto, make_certificate
from tests.worlds.paths import ROOT
from tests.worlds.real_systemd import GROUPS, PEOPLE, Machine, booted, furnish, wait

FLOOR, LOGINS = "companion-floor", "companion-broker.path"
UNITS = ("companion-floor.service", "companion-broker.path", "companion-broker.service")
PORT = 8100
BROKER_USER = 993
BROKER = """\
listener 8883 127.0.0.1
certfile /etc/mosquitto/broker.pem
keyfile /etc/mosquitto/broker.key
allow_anonymous false
password_file /etc/mosquitto/companion/passwords
acl_file /etc/mosquitto/companion/acl
log_dest file /etc/mosquitto/log/all
"""
MOSQUITTO = """\
[Service]
Type=notify
NotifyAccess=main
ExecStart={program} -c /etc/mosquitto/mosquitto.conf
ExecReload=/bin/kill -HUP $MAINPID
"""
"""As Debian's own unit, but for its folders outside of /etc."""
WITH_BROKER = (
    "FLOOR=--mqtt mqtts://127.0.0.1 --mqtt-ca /etc/mosquitto/broker.pem"
    " --mqtt-accounts /var/lib/companion-floor/broker\n"
)
pytestmark = pytest.mark.wide


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    """A machine with a floor and a broker, neither of them started yet."""
    root = tmp_path / "machine"
    mounts = furnish(root, (ROOT / "systemd/companion.service").read_text("utf-8"))
    for unit in UNITS:
        shutil.copy(ROOT / "systemd" / unit, root / "etc/systemd/system")
    shutil.copy(ROOT / "systemd/broker", root / "opt/companion/broker")
    program = find_mosquitto()
    assert program, "apt-get install mosquitto"
    (root / "etc/mosquitto/log").mkdir(parents=True)
    shutil.chown(root / "etc/mosquitto/log", BROKER_USER, BROKER_USER)
    make_certificate(root / "etc/mosquitto", "broker")
    files = {
        "passwd": f"{PEOPLE}mosquitto:x:{BROKER_USER}:{BROKER_USER}::/:/bin/false\n",
        "group": f"{GROUPS}mosquitto:x:{BROKER_USER}:\n",
        "systemd/system/mosquitto.service": MOSQUITTO.format(program=program),
        "mosquitto/mosquitto.conf": BROKER,
    }
    for name, text in files.items():
        (root / "etc" / name).write_text(text)
    with booted(root, mounts) as made:
        yield made


def start_floor(machine: Machine) -> None:
    machine.run("systemctl", "start", LOGINS, FLOOR)
    machine.until_unit(FLOOR, ActiveState="active")
    wait(lambda: machine.answers("/", PORT))


def read_id(machine: Machine) -> str:
    return (machine.root / "lib/private/companion-floor/floor-id").read_text()


def test_without_options_it_has_a_page_comes_back_and_ends_in_good_order(machine: Machine) -> None:
    start_floor(machine)
    assert "No table has been heard of yet" in machine.page("/", PORT)
    assert "PIN for phones" in machine.page("/", PORT), "its PIN is made in the browser there"
    before, id = machine.knows("MainPID", FLOOR), read_id(machine)
    machine.run("systemctl", "kill", "--signal=KILL", FLOOR)
    machine.until_unit(FLOOR, NRestarts="1", ActiveState="active")
    wait(lambda: machine.answers("/", PORT))
    assert (machine.knows("MainPID", FLOOR) != before, read_id(machine)) == (True, id)
    machine.run("systemctl", "restart", FLOOR)
    wait(lambda: machine.answers("/", PORT))
    machine.run("systemctl", "stop", FLOOR)
    names = ("Result", "ExecMainCode", "ExecMainStatus")
    assert [machine.knows(name, FLOOR) for name in names] == ["success", "1", "0"]


def test_it_is_a_user_of_its_own_that_sees_its_folder_alone(machine: Machine) -> None:
    (machine.root / "lib/companion").mkdir(mode=0o700)
    (machine.root / "lib/companion/journal.sqlite3").write_text("an evening")
    start_floor(machine)
    process = machine.knows("MainPID", FLOOR)
    (user,) = set(re.findall(r"^Uid:\s+(\d+)", machine.run("cat", f"/proc/{process}/status"), re.M))
    assert int(user) >= 61184, "one that exists only while it runs"
    inside = ("nsenter", f"--target={process}", "--mount", "setpriv", f"--reuid={user}",
              f"--regid={user}", "--clear-groups", "--inh-caps=-all")  # fmt: skip
    folders = "/etc /opt /var/lib /var/lib/companion-floor"
    said = machine.run(
        *inside, "sh", "-c", f"for each in {folders}; do touch $each/x; done 2>&1; true"
    )
    assert len(said.splitlines()) == 3, "it writes into its own folder alone"
    read = machine.run(*inside, "sh", "-c", "cat /var/lib/companion/journal.sqlite3 2>&1; true")
    assert "Permission denied" in read


def test_the_broker_reads_the_logins_that_the_floor_makes(machine: Machine) -> None:
    etc = machine.root / "etc"
    (etc / "companion/floor.env").write_text(WITH_BROKER)
    (etc / "companion/broker").mkdir()
    (etc / "companion/broker/acl").write_text("user audit\ntopic read #\n")
    start_floor(machine)
    machine.until_unit("mosquitto", ActiveState="active")
    log, id = etc / "mosquitto/log/all", read_id(machine)
    wait(lambda: f"as companion-floor-{id} " in log.read_text())
    for name in ("acl", "passwords"):
        kept = (etc / "mosquitto/companion" / name).stat()
        assert (kept.st_uid, kept.st_mode & 0o777) == (BROKER_USER, 0o600)
    rules = (etc / "mosquitto/companion/acl").read_text()
    assert rules.startswith("user audit\n")
    assert f"user floor-{id}\ntopic read companion/+/online" in rules

    login = machine.root / "lib/private/companion-floor/broker-login"
    first, broker = login.read_text(), machine.knows("MainPID", "mosquitto")
    login.write_text("lost")  # The floor makes another one, and the broker is told again.
    machine.run("systemctl", "restart", FLOOR)
    wait(lambda: log.read_text().count(f"as companion-floor-{id} ") >= 2)
    assert login.read_text() not in {first, "lost"}
    assert machine.knows("MainPID", "mosquitto") == broker, "it was not started anew"

    shutil.rmtree(etc / "mosquitto/companion")
    machine.run("systemctl", "restart", LOGINS)
    wait((etc / "mosquitto/companion/passwords").exists)  # The floor wrote nothing new.


def test_no_login_is_missed_when_many_tables_are_let_in_at_once(machine: Machine) -> None:
    (machine.root / "etc/companion/floor.env").write_text(WITH_BROKER)
    start_floor(machine)
    machine.until_unit("mosquitto", ActiveState="active")
    read = machine.root / "etc/mosquitto/companion/passwords"
    wait(lambda: read.exists() and f"floor-{read_id(machine)}:" in read.read_text())
    accounts = BrokerAccounts(machine.root / "lib/private/companion-floor/broker", read_id(machine))
    tables = [f"{n:012x}" for n in range(40)]
    for table in tables:
        accounts.let_in(table)
        time.sleep(0.02)
    wait(lambda: all(f"table-{table}:" in read.read_text() for table in tables))
    accounts.shut_out(tables[0])
    wait(lambda: f"table-{tables[0]}:" not in read.read_text())
    assert machine.knows("ActiveState", LOGINS) == "active"


def test_root_follows_no_link_in_the_folder_of_the_floor(machine: Machine) -> None:
    (machine.root / "etc/shadow").write_text("root:secret\n")
    folder = machine.root / "lib/private/companion-floor/broker"
    folder.mkdir(parents=True)
    (machine.root / "lib/companion-floor").symlink_to("private/companion-floor")
    (folder / "acl").write_text("")
    (folder / "passwords").symlink_to("/etc/shadow")
    machine.run("sh", "-c", "systemctl start companion-broker.service || true")
    assert machine.knows("Result", "companion-broker.service") == "exit-code"
    assert not (machine.root / "etc/mosquitto/companion/passwords").exists()
