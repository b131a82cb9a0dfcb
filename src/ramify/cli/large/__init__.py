"""Tables larger than memory, larger than one machine: the long way of `fit` and `predict`.

A folder, a pattern of files, ``--memory``, ``--dask`` or ``--spark`` takes it. `options` has the
options, `rows` the rows of files as scans read them, `engines` where scans run, `scans` the
progress of scans, `pruning` a cut by rows held out; `growing` and `predicting` are the commands.

Imports `ramify.scale`, which needs pyarrow.
"""
