"""Who may use the server: this machine, the address with its token, and pages that come from it.

Invariant: no request reaches a route unless its Host is this server, its Origin (if it says one) is
this server, and it has the token. No answer lets another origin read it, and no page runs a script
or loads anything from elsewhere.
"""

from __future__ import annotations

import secrets
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: The most bytes of one file that is dropped on the page. Files given by their path have no limit.
MOST_BYTES = 2 << 30
#: The most bytes of any other request.
MOST_OTHER_BYTES = 4 << 20
TOKEN_HEADER = "x-ramify-token"

_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
_WRONG_ADDRESS = "Open the address that ramify studio printed: it has the token of this server.\n"


class TooLarge(ValueError):
    """A request has more bytes than the server takes."""


class Outside(ValueError):
    """A path leads out of the folders that were opened."""


def new_token() -> str:
    """Give a token that nobody can guess."""
    return secrets.token_urlsafe(32)


class Guard:
    """Lets requests through to an app, or refuses them.

    Parameters
    ----------
    app : ASGI application
    token : str
        What the address must have; later a cookie or a header has it.
    port : int
        The port of the server.
    """

    def __init__(self, app: ASGIApp, *, token: str, port: int) -> None:
        self._app = app
        self._token = token
        self._hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        self._origins = {f"http://{host}" for host in self._hosts}
        self._cookie = f"ramify_studio_{port}"  # cookies of one host are shared by all ports

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # there is nothing else to talk to
        send = _with_headers(send)
        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return PlainTextResponse("This host is not served here.\n", 403)
        origins = headers.getlist("origin")
        if any(origin.lower() not in self._origins for origin in origins):
            return PlainTextResponse("Pages of other origins are not served.\n", 403)
        if headers.get("sec-fetch-site", "none") == "cross-site" and scope["method"] != "GET":
            return PlainTextResponse("Pages of other origins are not served.\n", 403)
        length = headers.get("content-length")
        most = MOST_BYTES if scope["path"] == "/api/upload" else MOST_OTHER_BYTES
        if length is not None and (not length.isdecimal() or int(length) > most):
            return PlainTextResponse(f"A request has at most {most:,} bytes.\n", 413)
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if scope["path"] == "/" and given:
            if not self._is_token(given):
                return PlainTextResponse(_WRONG_ADDRESS, 403)
            # The token leaves the address, so that it is in no history and no picture of a window.
            response = RedirectResponse("/", 303)
            response.set_cookie(
                self._cookie, self._token, httponly=True, samesite="strict", path="/"
            )
            return response
        if not self._is_token(headers.get(TOKEN_HEADER) or self._from_cookie(headers)):
            return PlainTextResponse(_WRONG_ADDRESS, 403)
        return None

    def _is_token(self, given: str) -> bool:
        return secrets.compare_digest(given.encode("utf-8", "replace"), self._token.encode())

    def _from_cookie(self, headers: Headers) -> str:
        cookies: SimpleCookie = SimpleCookie()
        for line in headers.getlist("cookie"):
            try:
                cookies.load(line)
            except CookieError:
                return ""
        return cookies[self._cookie].value if self._cookie in cookies else ""


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending


class Folders:
    """The folders that were opened: nothing else is read or written.

    Parameters
    ----------
    folders : list of Path
        They are followed to where they really are.
    """

    def __init__(self, *folders: Path) -> None:
        self.roots = [folder.resolve() for folder in folders]

    def inside(self, path: str | Path) -> Path:
        """Give the real path of a file in one of the folders; a relative one is in the first."""
        given = str(path)
        if "\0" in given:
            raise Outside("a path has no zero byte")
        real = (self.roots[0] / given).resolve()
        if not any(real.is_relative_to(root) for root in self.roots):
            shown = ", ".join(map(str, self.roots))
            raise Outside(f"{given}: this is outside of the folder that is open ({shown})")
        return real

    def new_name(self, name: str) -> Path:
        """Give the path of a file in the first folder; the name must be no path."""
        if name in ("", ".", "..") or "/" in name or "\\" in name or "\0" in name:
            raise Outside(f"{name!r}: give a file name, not a path")
        return self.inside(name)
