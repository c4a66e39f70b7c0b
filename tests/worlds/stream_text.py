"""What a stream sends to a viewer that has seen nothing yet."""

from flask import Flask

from web.context import AppContext
from web.rendering.blocks import LivePart
from web.rendering.screens import Screen
from web.server.broadcast import draw_state


def full_state(app: Flask, context: AppContext, screen: Screen) -> str:
    """The whole state of a screen."""
    state = draw_state(app, context, screen)
    return state.html if isinstance(state, LivePart) else state
