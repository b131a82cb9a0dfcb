"""The summary of all experiments: what agrees with print, what is explained, and what is open."""

from __future__ import annotations

from pathlib import Path

import summary


def test_the_summary_counts_agreement_reasons_and_what_is_open(tmp_path: Path) -> None:
    (tmp_path / "shi_pruning.csv").write_text(
        "measure,dataset,method,repetitions,ours,printed\n"
        "Accuracy,iris,cart,10,94.0,95.0\n"  # within three points
        "Accuracy,vowel,cart,10,40.0,50.0\n"  # explained
        "Accuracy,iris,post,10,80.0,95.0\n"  # open
        "Accuracy,zoo,post,10,80.0,\n"  # not printed
        "Nodes,iris,cart,10,9.0,7.5\n"  # within two nodes
    )
    assert summary.summary(tmp_path).splitlines()[2:] == [
        "| Shi 2007 | accuracy of six prunings, 4.14 | 3 | 3 points | 1 | 1: a draw of the folds "
        "(audiology), or Weka's levels of a speaker (vowel) | 1 |",
        "| Shi 2007 | nodes of six prunings, 4.15 | 1 | 20 % or 2 nodes | 1 | 0 | 0 |",
    ]
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{summary.BEGIN}\nold\n{summary.END}\nafter\n")
    summary.write_into(readme, "| new |")
    text = f"before\n{summary.BEGIN}\n\n| new |\n\n{summary.END}\nafter\n"
    assert readme.read_text() == text
