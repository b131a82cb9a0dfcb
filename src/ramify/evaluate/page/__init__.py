"""The page of a comparison: one HTML file that stands alone.

Imports the tables and the pictures. Used by the comparison.
"""
