"""Thirty messy files: how each is made, and what a careful analyst would make of it by hand."""
