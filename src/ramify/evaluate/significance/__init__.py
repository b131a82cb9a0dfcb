"""Tests of whether learners differ: two on one data set, or several over many.

Imports the checks of parameters. Used by the tables of a comparison, and public by themselves.
"""
