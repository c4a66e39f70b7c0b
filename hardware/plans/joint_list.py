"""The net list by joints: stage by stage, what is soldered to what. It goes with the picture."""

from companion.core.i18n import Language, message
from hardware.wiring.joints import STAGE_TITLES, list_nets, stages_of
from hardware.wiring.table import profile_headline
from hardware.wiring.wires import Wiring


def format_joints(wiring: Wiring, words: Language) -> str:
    """Return every net as Markdown, in the order of soldering, with the test after each stage."""
    lines = [f"# {words(profile_headline(wiring))}"]
    for stage in stages_of(wiring):
        lines += ["", f"## {words(STAGE_TITLES[stage])}", ""]
        for net in list_nets(wiring):
            if net.stage == stage:
                joints = " – ".join(f"`{joint.name}`" for joint in net.joints)
                lines.append(f"- {words(net.use)}: {joints}")
        number = " 1" if stage == "reader" else ""
        test = f"`companion doctor --stage {stage}{number}`"
        lines += ["", words(message("Then test it: {command}", command=test))]
    return "\n".join(lines) + "\n"
