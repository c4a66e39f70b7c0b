"""The API: everything that the pages request, as JSON over HTTP.

Law: a page can do nothing that is not an operation here, and an operation is declared once: its
route, its permission, its types and its entry in the OpenAPI document come from the same
declaration. A module here is a subject; a new subject is a module and a line in `SUBJECTS`.
"""

from flask import Flask

from web.api import (
    browser,
    floor,
    health,
    host,
    host_game,
    judge,
    machine,
    openapi,
    seats,
    setup,
    simulated,
)
from web.api.operation import GRANTED, Api, IdempotencyCache

SUBJECTS: tuple[Api, ...] = (
    browser.api,
    seats.join_api,
    seats.api,
    simulated.api,
    simulated.demo_api,
    judge.api,
    host.api,
    host_game.api,
    host.sitting_api,
    host.handover_api,
    browser.names_api,
    health.api,
    machine.backup_api,
    machine.api,
    health.status_api,
    floor.api,
    setup.api,
)


def install(app: Flask) -> None:
    """Register every operation with this app, and the document that describes them."""
    app.extensions[GRANTED] = IdempotencyCache()
    for subject in SUBJECTS:
        app.register_blueprint(subject.blueprint)
    app.register_blueprint(openapi.create_blueprint(SUBJECTS))
