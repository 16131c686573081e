"""Errors of the API, and answers that hold any text there is."""

from __future__ import annotations

import json
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import Response

from ludometer.core import ConfigurationError, LudometerError, MachineError
from ludometer.core.text import escaped

__all__ = ["Problem", "answer", "problem_response", "say_problems"]


class Problem(LudometerError):
    """What a request cannot be given, as one sentence: 404 unknown, 403 not allowed, 409 in use, 422 wrong."""

    blames = "the request"

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


def answer(value: BaseModel | list[Any], status: int = 200) -> Response:
    """A shape, or a list of them, as JSON. Everything but ASCII is escaped: names and answers of models may hold lone
    surrogates, which UTF-8 cannot."""
    return Response(written(value), status, media_type="application/json")


def written(value: BaseModel | list[Any]) -> str:
    """The text of `answer`."""
    plain = [item.model_dump(mode="json") for item in value] if isinstance(value, list) else _dumped(value)
    return json.dumps(plain, ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def _dumped(value: BaseModel) -> Any:
    return value.model_dump(mode="python")


def problem_response(status: int, sentence: str) -> Response:
    """An error: one sentence, and never a traceback."""
    text = json.dumps({"detail": escaped(sentence)}, ensure_ascii=True)
    return Response(text, status, dict(_HARMLESS), media_type="application/json")


_HARMLESS = {"Content-Security-Policy": "default-src 'none'", "X-Content-Type-Options": "nosniff"}
"""Said with every error, also where nothing else adds headers."""


def say_problems(app: FastAPI) -> None:
    """Turns every error into one sentence with the right status."""

    @app.exception_handler(LudometerError)
    async def _ours(_: Request, error: LudometerError) -> Response:
        return problem_response(_status(error), str(error))

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> Response:
        words = {404: f"there is nothing at {request.url.path}", 405: f"{request.method} is not answered here"}
        response = problem_response(error.status_code, words.get(error.status_code, str(error.detail)))
        response.headers.update(error.headers or {})
        return response

    @app.exception_handler(RequestValidationError)
    async def _wrong(_: Request, error: RequestValidationError) -> Response:
        return problem_response(422, _sentence(error))

    @app.exception_handler(Exception)
    async def _unforeseen(_: Request, error: Exception) -> Response:
        return problem_response(500, "something went wrong inside Ludometer; its terminal says what")


def _status(error: LudometerError) -> int:
    if isinstance(error, Problem):
        return error.status
    if isinstance(error, MachineError):
        return 409
    return 422 if isinstance(error, ConfigurationError) else 500


def _sentence(error: RequestValidationError) -> str:
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path"))
    return f"{where or 'the request'} is not valid: {first['msg']}"
