"""Shells at a terminal of their own, asked what they would complete."""

import os
import pty
import re
import select
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

BASH = r"""
source "$1"
shift
complete=$(complete -p companion | sed 's/.*-F \([^ ]*\).*/\1/')
for typed; do
    read -ra COMP_WORDS <<< "$typed"
    [[ $typed == *' ' ]] && COMP_WORDS+=('')
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE=$typed COMP_POINT=${#typed} COMP_TYPE=9
    COMPREPLY=()
    $complete companion "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
    echo "${COMPREPLY[@]}"
done
"""

ZSH = r"""
PS1=; PS2=; unsetopt zle_bracketed_paste 2>/dev/null; unset zle_bracketed_paste
fpath=("$COMPLETIONS" $fpath)
autoload -U compinit; compinit -u -D
compadd () {
    if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return $?; fi
    typeset -a __hits __told
    builtin compadd -A __hits -D __told "$@"
    print -r -- "<${(j:><:)__hits}>"
}
begin () { print -r -- "BEGIN" }
finish () { print -r -- "END" }
tell () { unset 'compstate[vared]'; begin; _main_complete "$@"; finish }
zle -C tell complete-word tell
bindkey '^I' tell
print READY
"""
"""Prints what would be offered in place of offering it."""
PATIENCE = 30.0


def ask_bash(script: Path, typed: Sequence[str], folder: Path) -> list[set[str]]:
    """Return what bash completes each of these lines with."""
    command = ["bash", "-c", BASH, "bash", str(script), *typed]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder)
    assert done.stderr == ""
    return [set(line.split()) for line in done.stdout.splitlines()]


def ask_zsh(script: Path, typed: Sequence[str], folder: Path) -> list[set[str]]:
    """Return what zsh completes each of these lines with; the script is named _companion."""
    ours, theirs = pty.openpty()
    environ = {"PATH": os.environ["PATH"], "TERM": "dumb", "COMPLETIONS": str(script.parent),
               "LANG": "C.UTF-8", "HOME": str(folder)}  # fmt: skip
    shell = subprocess.Popen(
        ["zsh", "-f", "-i"], stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder, env=environ,
        start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    try:
        setup = folder / "setup.zsh"
        setup.write_text(ZSH)
        os.write(ours, f"source {setup}\n".encode())
        _read_until(ours, "\nREADY")
        return [_ask(ours, line) for line in typed]
    finally:
        shell.kill()
        shell.wait()
        os.close(ours)


def _ask(terminal: int, line: str) -> set[str]:
    os.write(terminal, f"{line}\t".encode())
    told = _read_until(terminal, "END").rpartition("BEGIN")[2]
    os.write(terminal, b"\x15")  # The line is taken away again.
    return set(re.findall(r"<([^<>]+)>", told))


def _read_until(terminal: int, mark: str) -> str:
    heard, end = "", time.monotonic() + PATIENCE
    while mark not in heard:
        assert time.monotonic() < end, heard
        if select.select([terminal], [], [], 0.1)[0]:
            heard += os.read(terminal, 65536).decode(errors="replace").replace("\r\n", "\n")
    return heard
