"""The hostile harness: random cases against what must always hold, for as long as it is given.

A *campaign* (`campaign.py`) draws a case from a number, runs it, and proposes smaller cases. A case
is plain data that JSON can hold. Every case runs in a child process with a limit of time and memory
(`children.py`), so a crash and a hang are failures like any other. A failure is a number to replay;
it is made smaller (`minimise.py`) and kept in ``cases/``, where `test_cases.py` runs it for ever.

- `fits`: random tables and parameters, every estimator (`problem.py`, `parameters.py`,
  `invariants/`).
- `files`: damaged model files, which are used if they load.
- `tables`: hostile CSV files through the command line.
- `scale`: trees from counts beside those in memory (`scaled.py`).

``tools/fuzz`` is the command; `test_short.py` gives each campaign some seconds of every test run.
"""
