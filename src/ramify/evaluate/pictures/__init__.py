"""Pictures of a comparison: ranks, and score against size.

`layout` says where things stand, `svg` draws them for the page, `plots` with matplotlib.

Imports the tables. Used by the page and the comparison.
"""
