"""The HTTP API keeps to its OpenAPI document, whatever is asked of it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.routing import Route

from lostcities.protocol.openapi import OPERATIONS, Operation, document
from lostcities.server.app import build_app
from rooms import RunningRoom, built_page, running_beside

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningRoom]:
    folder = tmp_path_factory.mktemp("room")
    with running_beside(folder, page=built_page(folder)) as room:
        yield room


def test_the_document_has_every_route(tmp_path: Path) -> None:
    with running_beside(tmp_path, page=built_page(tmp_path)) as room:
        app = build_app(room.room, room.settings)
    served = {
        (method, re.sub(":[a-z]+}", "}", route.path))
        for route in app.routes
        if isinstance(route, Route) and route.path.startswith("/api/")
        for method in route.methods or ()
        if method != "HEAD"
    }
    assert {(each.method, each.path) for each in OPERATIONS} == served


def test_the_document_names_only_bodies_that_it_holds() -> None:
    told = document()
    named = set(re.findall(r"#/components/schemas/([A-Za-z]+)", str(told)))
    assert named == set(told["components"]["schemas"])


@pytest.mark.slow
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: f"{each.method} {each.path}")
def test_whatever_is_asked_the_answer_is_as_documented(
    operation: Operation, room: RunningRoom
) -> None:
    """Generated requests, half of them about a table that is really there."""
    schema = schemathesis.openapi.from_dict(document())
    with requests.Session() as person:
        known = sit_down(person, room.url)

        @seed(5)
        @settings(
            max_examples=25,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(case=schema[operation.path][operation.method].as_strategy(), real=st.booleans())
        def ask(case: Case[Any], real: bool) -> None:
            if real:
                for name in set(known) & set(case.path_parameters):
                    case.path_parameters[name] = known[name]
            case.call_and_validate(base_url=room.url, session=person, checks=CHECKS)

        ask()


def sit_down(person: requests.Session, url: str) -> dict[str, str]:
    """A table of this person's own; what stands in the paths about it."""
    made = person.post(f"{url}/api/tables", json={"name": "Ada", "seat": 0}, timeout=20).json()
    return {"match": made["match"], "code": made["invite"][3:], "id": made["match"], "round": "1"}
