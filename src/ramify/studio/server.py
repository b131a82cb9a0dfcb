"""The routes of the server: what the page asks for, as calls of the session.

Everything that may take long runs in a thread of its own or of the pool, so that the server always
answers. A mistake of the user is 400 with a sentence, a change from an old state 409 with the
present one, a change while something runs 423.
"""

from __future__ import annotations

import json
import math
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from ramify.studio import data, judging, nodes, shipping
from ramify.studio.code import code_json
from ramify.studio.editing import price_json
from ramify.studio.opening import open_file
from ramify.studio.page import page
from ramify.studio.security import MOST_OTHER_BYTES, Guard, TooLarge
from ramify.studio.session import BusyError, Session, StaleError
from ramify.studio.uploads import list_files, receive
from ramify.studio.views import state_json

Answer = Callable[[Request], Awaitable[Response]]
#: What users may do wrong; anything else is a defect and is answered with 500.
_MISTAKES = (ValueError, TypeError, OSError, KeyError, MemoryError, ImportError)


def make_app(session: Session, *, token: str, port: int) -> Any:
    """Give the application of a session, behind its guard."""
    routes = _Routes(session)
    app = Starlette(
        routes=[
            Route("/", routes.index),
            Route("/app.js", routes.script),
            Route("/app.css", routes.style),
            *(Route(f"/api/{path}", answer, methods=["GET"]) for path, answer in routes.gets()),
            *(Route(f"/api/{path}", answer, methods=["POST"]) for path, answer in routes.posts()),
            Route("/api/upload", routes.upload, methods=["PUT"]),
        ],
        middleware=[Middleware(GZipMiddleware, minimum_size=2000, compresslevel=1)],
    )
    return Guard(app, token=token, port=port)


class JsonResponse(Response):
    """An answer as JSON; numbers that JSON does not have are null."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Write the text."""
        try:
            text = json.dumps(content, allow_nan=False, separators=(",", ":"))
        except ValueError:
            text = json.dumps(_finite(content), allow_nan=False, separators=(",", ":"))
        return text.encode()


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


class _Routes:
    """One method per route."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def gets(self) -> list[tuple[str, Answer]]:
        """Give what only looks."""
        session = self.session
        return [
            ("state", self._get(lambda _: state_json(session))),
            ("job", self._get(lambda _: self._job())),
            ("files", self._get(lambda _: list_files(session.folders))),
            ("preview", self._get(lambda _: self._preview())),
            ("tree", self._get(lambda _: judging.tree_json(session))),
            ("node", self._get(lambda query: nodes.node_json(session, query))),
            ("candidates", self._get(lambda query: nodes.candidates_json(session, query))),
            ("judge", self._get(lambda _: judging.judge_json(session))),
            ("rows", self._get(lambda query: judging.rows_json(session, query))),
            ("rows.csv", self._rows_csv),
            ("comparison", self._get(lambda _: session.comparison)),
            ("code", self._get(lambda _: code_json(session))),
            ("forms", self._get(lambda _: shipping.forms_json(session))),
            ("ship", self._ship),
        ]

    def posts(self) -> list[tuple[str, Answer]]:
        """Give what changes something."""
        session = self.session
        return [
            ("open", self._post(lambda given, v: open_file(session, _text(given, "path"), v))),
            ("choose", self._post(lambda given, v: session.choose(_object(given, "changes"), v))),
            ("setup", self._post(lambda given, v: session.set_up(_object(given, "changes"), v))),
            ("grow", self._post(lambda _, v: session.grow(v))),
            ("dial", self._post(lambda given, v: session.dial(_number(given, "leaves"), v))),
            ("edit", self._post(lambda given, v: price_json(session.edit(given, v)))),
            (
                "price",
                self._post(lambda given, v: price_json(session.preview(given, v)), quiet=True),
            ),
            ("undo", self._post(lambda given, v: session.undo(v, to=given.get("to")))),
            (
                "branch",
                self._post(lambda given, v: session.take_branch(_number(given, "index"), v)),
            ),
            ("redo", self._post(lambda _, v: session.redo(v))),
            ("compare", self._post(lambda given, v: judging.start_comparison(session, given, v))),
            ("stop", self._post(lambda _, __: self._stop())),
        ]

    # --- the page -----------------------------------------------------------------------------

    async def index(self, request: Request) -> Response:
        """Give the page."""
        return HTMLResponse(page().html)

    async def script(self, request: Request) -> Response:
        """Give its script."""
        return Response(page().script, media_type="text/javascript")

    async def style(self, request: Request) -> Response:
        """Give its style."""
        return Response(page().style, media_type="text/css")

    # --- how routes answer --------------------------------------------------------------------

    def _get(self, answer: Callable[[Any], Any]) -> Answer:
        async def respond(request: Request) -> Response:
            return await self._safely(lambda: JsonResponse(answer(request.query_params)))

        return respond

    def _post(
        self, act: Callable[[dict[str, Any], int | None], Any], *, quiet: bool = False
    ) -> Answer:
        """Act, and answer with what came out and the present state; `quiet` leaves that out."""

        async def respond(request: Request) -> Response:
            try:
                given = json.loads(await _body(request) or b"{}")
            except TooLarge as error:
                return JsonResponse({"error": str(error)}, 413)
            except ValueError:
                return JsonResponse({"error": "the request is not JSON"}, 400)
            if not isinstance(given, dict):
                return JsonResponse({"error": "the request must be an object"}, 400)
            version = given.get("version")

            def acting() -> Response:
                if version is not None and type(version) is not int:
                    raise ValueError("version must be a whole number")
                result = act(given, version)
                if quiet:
                    return JsonResponse({"result": result})
                return JsonResponse({"result": result, "state": state_json(self.session)})

            return await self._safely(acting)

        return respond

    async def _safely(self, act: Callable[[], Response]) -> Response:
        try:
            return await run_in_threadpool(act)
        except StaleError:
            state = await run_in_threadpool(state_json, self.session)
            return JsonResponse({"stale": True, "state": state}, 409)
        except BusyError as error:
            return JsonResponse({"error": str(error), "busy": True}, 423)
        except _MISTAKES as error:
            return JsonResponse({"error": _sentence(error)}, 400)

    # --- routes with more to them -------------------------------------------------------------

    def _preview(self) -> dict[str, Any] | None:
        session = self.session
        if session.file is None:
            return None
        return data.preview(session.file, session.table, session.choices.parsing)

    def _job(self) -> dict[str, Any]:
        """Give what runs, and the number of the state; this waits for nothing."""
        job = self.session.job
        return {"version": self.session.version, "job": None if job is None else job.to_dict()}

    def _stop(self) -> None:
        if self.session.job is not None:
            self.session.job.stop()

    async def upload(self, request: Request) -> Response:
        """Take a file that was dropped on the page, and open it."""
        session = self.session
        try:
            file = await receive(
                session.folders, request.query_params.get("name", ""), request.stream()
            )
        except TooLarge as error:
            return JsonResponse({"error": str(error)}, 413)
        except _MISTAKES as error:
            return JsonResponse({"error": _sentence(error)}, 400)

        def opening() -> Response:
            open_file(session, file)
            return JsonResponse({"result": file.name, "state": state_json(session)})

        return await self._safely(opening)

    async def _rows_csv(self, request: Request) -> Response:
        def making() -> Response:
            name, text = judging.rows_csv(self.session, request.query_params)
            return _download(name, text.encode("utf-8-sig"), "text/csv; charset=utf-8")

        return await self._safely(making)

    async def _ship(self, request: Request) -> Response:
        def making() -> Response:
            shipped = shipping.ship(self.session, request.query_params)
            return _download(shipped.name, shipped.content, shipped.media_type)

        return await self._safely(making)


def _download(name: str, content: bytes, media_type: str) -> Response:
    plain = name.encode("ascii", "replace").decode().replace('"', "'").replace("\\", "_")
    headers = {"content-disposition": f'attachment; filename="{plain}"'}
    # A page that is given away must not act on this server when it is opened from it.
    headers["content-security-policy"] = "sandbox; default-src 'none'"
    return Response(content, media_type=media_type, headers=headers)


async def _body(request: Request) -> bytes:
    found = b""
    async for piece in request.stream():
        found += piece
        if len(found) > MOST_OTHER_BYTES:
            raise TooLarge(f"a request has at most {MOST_OTHER_BYTES:,} bytes")
    return found


def _text(given: dict[str, Any], name: str) -> str:
    if not isinstance(given.get(name), str):
        raise ValueError(f"{name} must be text")
    return str(given[name])


def _number(given: dict[str, Any], name: str) -> int:
    if type(given.get(name)) is not int:
        raise ValueError(f"{name} must be a whole number")
    return int(given[name])


def _object(given: dict[str, Any], name: str) -> dict[str, Any]:
    if not isinstance(given.get(name), dict):
        raise ValueError(f"{name} must be an object")
    return dict(given[name])


def _sentence(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return " ".join(str(error).split()) or type(error).__name__
