"""Figures of what was heard: milliseconds, and whom an event did not reach.

Law: only the events count that everyone at the table is to see.
"""

import statistics
from collections.abc import Callable

from bench.speed.client import Heard, HeardRequest

MILLION = 1_000_000
RequestFigure = Callable[[HeardRequest], float]


def answer_ms(request: HeardRequest) -> float:
    """Return the time of the answer."""
    return request.answer / MILLION


def first_ms(request: HeardRequest) -> float:
    """Return the time at which the first viewer had heard."""
    return request.first / MILLION


def last_ms(request: HeardRequest) -> float:
    """Return the time at which the last viewer had heard."""
    return request.last / MILLION


def cpu_ms(request: HeardRequest) -> float:
    """Return the processor time of the table's process."""
    return request.cpu / MILLION


def median_of(heard: Heard, figure: RequestFigure) -> float:
    """Return the middle one of a figure."""
    return statistics.median(map(figure, heard.counted))


def slowest_of(heard: list[Heard], figure: RequestFigure) -> float:
    """Return the value that one of a hundred exceeds."""
    every = [figure(request) for each in heard for request in each.counted]
    return statistics.quantiles(every, n=100)[98]


def client_ms(heard: Heard) -> float:
    """Return the processor time of the client for each request."""
    return heard.client_cpu / MILLION / len(heard.requests)


def news_size(heard: Heard) -> int:
    """Return the bytes of a change for one viewer, chunk heads included."""
    return round(statistics.mean(each.bytes / max(each.reached, 1) for each in heard.counted))


def missed_by(heard: Heard) -> int:
    """Return the number of events that did not reach every viewer in time."""
    return sum(request.reached < heard.viewers for request in heard.counted)
