"""The exit statuses of all commands, and what each of them means.

Law: every command ends with one of these; docs/commands.md lists them as they stand here.
"""

import signal

from companion.core.i18n import N_

DONE, AMISS, NOT_DONE = 0, 1, 2
INTERRUPTED, UNREAD = 128 + signal.SIGINT, 128 + signal.SIGPIPE

MEANINGS = {
    DONE: N_("It is done, and nothing is amiss."),
    AMISS: N_("It is done, and something is amiss or missing; the output says what."),
    NOT_DONE: N_("It cannot be done, or was not understood; one sentence says why."),
    INTERRUPTED: N_("It was ended with Ctrl-C."),
    UNREAD: N_("What it printed is read no longer, as by head."),
}
SHORT = N_(
    "Exit status: 0 done; 1 done, but something is amiss; 2 not done. man companion says more."
)
