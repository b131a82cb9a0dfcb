"""The steps from a table file to a tree, which `ramify fit` and the studio take in the same way.

`task` and `target` settle what is predicted, `columns` looks at the columns, `classes` reads
weights and costs of classes, `learners` makes an estimator by name. Nothing here prints or asks.

Imports everything below the command line. Used by `cli` and `studio`.
"""
