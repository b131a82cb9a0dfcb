"""What must not change: digests of a few hundred fitted models.

`cases.py` says which models are fitted to which small tables, `digests.py` what is kept of each,
and `digests.json` holds it. A refactoring leaves every digest as it is. A change that is meant to
alter trees writes them anew, and the commit says why:

    PYTHONPATH=tests python -m golden --write        all of them
    PYTHONPATH=tests python -m golden --write grow   those whose names begin with grow
    PYTHONPATH=tests python -m golden                what differs, part by part
"""
