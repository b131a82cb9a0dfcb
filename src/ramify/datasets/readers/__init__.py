"""Readers of table files: CSV, ARFF and Parquet, whole or block by block.

`table` finds the format and reads; `delimited`, `arff` and `parquet` know one format each, with the
same methods; `text` and `cells` are what the formats of text share.

Imports `Dataset`, tables and support. Used by `datasets` alone.
"""
