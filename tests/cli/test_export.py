"""`ramify export` to a page of questions: by name or by the ending, with its heading and words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from helpers.command_line import one_line

ASK = ("--question", "outlook=What is the sky like? (a=b)", "--question", "humidity=How humid?")


def test_the_ending_html_is_a_questionnaire(run: Any, weather_model: Path, tmp_path: Path) -> None:
    page = tmp_path / "ask.html"
    code, _, errors = run("export", weather_model, "--output", page, "--title", "Play?", *ASK)
    assert (code, errors) == (0, f"Written to {page}\n")
    text = page.read_text(encoding="utf-8")
    assert "<title>Play?</title>" in text and "questionnaire-data" in text
    assert "What is the sky like? (a=b)" in text
    code, printed, _ = run("export", weather_model, "--to", "questionnaire")
    assert code == 0 and printed.startswith("<!DOCTYPE html>") and "Questions about play" in printed


def test_the_help_tells_it_from_a_report(run: Any) -> None:
    code, printed, _ = run("export", "--help")
    words = " ".join(printed.replace("│", " ").split())
    assert code == 0 and ".html is a questionnaire (the command report writes a report)" in words


def test_options_go_with_their_format(run: Any, weather_model: Path) -> None:
    for arguments, words in (
        (("--to", "sql", "--title", "x"), "--title goes with --to questionnaire only"),
        (("--to", "c", *ASK), "--question goes with --to questionnaire only"),
        (("--to", "questionnaire", "--table", "t"), "--table goes with --to sql only"),
        (("--to", "questionnaire", "--answer", "leaf"), "--answer goes with --to sql only"),
        (("--to", "questionnaire", "--question", "x"), "--question 'x': expected COLUMN=TEXT"),
        (("--to", "questionnaire", "--question", "outlok=?"), "did you mean 'outlook'?"),
    ):
        code, printed, errors = run("export", weather_model, *arguments)
        assert code != 0 and printed == "" and words in errors and one_line(errors)
