"""Tables made from results: scores with marks, wins, ranks, and an overview of them in sentences.

Imports the results, the measures and the tests. Used by the comparison, its page and the command
line.
"""
