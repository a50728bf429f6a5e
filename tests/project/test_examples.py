"""The examples in the docstrings of public functions run and print what they say, on numpy alone."""

from __future__ import annotations

import doctest
import inspect
from collections.abc import Callable

import numpy as np
import pytest

import roofline_app

PUBLIC = {name: value for name, value in vars(roofline_app).items() if not name.startswith("_")}
FUNCTIONS = {name: value for name, value in PUBLIC.items() if inspect.isfunction(value)}


def examples(name: str, function: Callable[..., object]) -> list[doctest.DocTest]:
    # What a reader has at hand: `from roofline_app import *` and `import numpy as np`.
    return doctest.DocTestFinder(recurse=False).find(function, name, globs={**PUBLIC, "np": np})


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_examples_of_a_public_function_print_what_they_say(name: str) -> None:
    said = list[str]()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for one in examples(name, FUNCTIONS[name]):
        assert one.examples, "no example"
        runner.run(one, out=said.append)
    assert not runner.failures, "".join(said)


def test_the_check_above_can_fail() -> None:
    def wrong() -> None:
        """Say that 1 + 1 is 3.

        >>> 1 + 1
        3
        """

    (one,) = examples("wrong", wrong)
    runner = doctest.DocTestRunner()
    runner.run(one, out=lambda _: None)
    assert runner.failures == 1
