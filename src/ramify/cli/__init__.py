"""The command line: one file per command, in `commands`.

Everything heavy is imported inside the commands, so that ``ramify --help`` answers at once. An
error is one line on stderr: exit code 2 for a mistake of the user, 1 for a defect of ramify, 130
for Ctrl-C.

`options` and `learners` hold the options that commands share, `files` what they read and write,
`columns` and `score` the steps from a table to a scored tree, `output` what they print.

Imports everything. Nothing imports it.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any

import typer

from ramify.cli.messages import name_the_option, plain_message
from ramify.cli.options import expand

#: The commands in the order of ``ramify --help``, under its headings; each is a function of a file
#: in `commands`.
GROUPS = {
    "Start": ("demo", "studio", "profile", "fit", "compare"),
    "Use a saved model": ("predict", "report", "show", "prune", "export"),
    "Prepare a table": ("discretize",),
}
COMMANDS = tuple(name for names in GROUPS.values() for name in names)

app = typer.Typer(
    name="ramify",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_INTERRUPTED = 130
_SUGGESTIONS = ("Did you mean", "Possible options")


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", metavar="")
    ] = False,
) -> None:
    """Decision trees for tables with categories and missing values.

    Begin with: ramify fit FILE --target COLUMN
    """
    if version:
        from ramify import __version__

        typer.echo(f"ramify {__version__}")
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())


for _group, _names in GROUPS.items():
    for _name in _names:
        _command = expand(getattr(import_module(f"ramify.cli.commands.{_name}"), _name))
        app.command(rich_help_panel=_group)(_command)


def _complain(error: BaseException, typed: Sequence[str]) -> int:
    """Print an error as one line and give the exit code."""
    if hasattr(error, "format_message") and hasattr(error, "exit_code"):
        message, code = plain_message(str(error.format_message())), int(error.exit_code)
        command = getattr(getattr(error, "ctx", None), "command_path", "")
        # Where the parser says what is meant, or what is wrong with a value, that is enough.
        enough = message.startswith("--") or any(words in message for words in _SUGGESTIONS)
        if command and not enough:
            message = f"{message.rstrip('.')}; {command} --help lists what it takes"
    elif isinstance(error, OSError) and error.strerror:
        place = f"{error.filename}: " if error.filename is not None else ""
        message, code = f"{place}{error.strerror}", 2
    elif isinstance(error, MemoryError):
        message, code = "not enough memory", 1
    elif isinstance(error, ValueError | TypeError | OSError):
        message, code = name_the_option(str(error), typed), 2
    else:
        kind = type(error).__name__
        message = f"{kind}: {error} (a defect of ramify; RAMIFY_TRACEBACK=1 shows where)"
        code = 1
    typer.echo(f"ramify: {' '.join(message.split())}", err=True)
    return code


def _warn(message: Warning | str, *_: Any, **__: Any) -> None:
    typer.echo(f"ramify: note: {' '.join(str(message).split())}", err=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and give the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _warn
            # scikit-learn's, of a parameter that nobody typed; a note says it of the target.
            warnings.filterwarnings("ignore", "The number of unique classes is greater than 50%")
            result = app(args=words, prog_name="ramify", standalone_mode=False, obj=words)
        if result == _INTERRUPTED:  # typer may have turned Ctrl-C into this code
            raise KeyboardInterrupt
        return result if isinstance(result, int) else 0
    except (KeyboardInterrupt, typer.Abort):
        typer.echo("ramify: interrupted", err=True)
        return _INTERRUPTED
    except Exception as error:
        if os.environ.get("RAMIFY_TRACEBACK"):
            raise
        return _complain(error, words)


if __name__ == "__main__":
    sys.exit(main())
