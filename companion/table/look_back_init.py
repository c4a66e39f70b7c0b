"""Looking back: one moment of a game as everyone could see it, what it rests on, and what if.

Laws: a look is built from what was public at its moment; no closed hand, no face-down card and no
pile that is counted has a field in it. The judge looks back in front of everyone: while the game
goes on, only the last verdict is shown, without what is to be remembered. What if is asked of the
judge and writes nothing.
"""

from companion.table.look_back import Look, Ruling, called, last_verdict, look, refuse
from companion.table.what_if import Fork, what_if

__all__ = ["Fork", "Look", "Ruling", "called", "last_verdict", "look", "refuse", "what_if"]
