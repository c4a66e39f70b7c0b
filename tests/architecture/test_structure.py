"""The figures of `python -m bench.structure` stay within their bars."""

from functools import cache

import pytest

from bench import structure
from tests.worlds.paths import ROOT

MOST_DOUBLED, MOST_ANY, MOST_PEOPLE = 8, 200, 10
MOST_ONE_WORD, MOST_RIDDLES, LEAST_FOUND = 0.4, 0.03, 0.95


@cache
def tree() -> structure.Tree:
    return structure.Tree(ROOT)


@pytest.mark.wide
def test_a_class_name_means_one_thing() -> None:
    assert len(structure.doubled_classes(tree())) <= MOST_DOUBLED, structure.doubled_classes(tree())


@pytest.mark.wide
def test_few_types_are_any() -> None:
    assert structure.uses_of_any(tree()) <= MOST_ANY


@pytest.mark.wide
def test_names_have_a_verb_and_docstrings_say_what_is_done() -> None:
    assert structure.one_word_share(tree()) <= MOST_ONE_WORD
    assert structure.riddle_share(tree()) <= MOST_RIDDLES
    assert structure.people_in_docstrings(tree()) <= MOST_PEOPLE


@pytest.mark.wide
def test_strangers_find_features_by_the_names_of_files() -> None:
    features = len(structure.known_features(structure.GUESSES))
    lost = structure.not_found(ROOT, structure.GUESSES)
    assert 1 - len(lost) / features >= LEAST_FOUND, lost
    assert structure.missing_paths(ROOT, structure.GUESSES) == []
