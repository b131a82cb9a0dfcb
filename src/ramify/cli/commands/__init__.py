"""The commands, one file each: a function of the file's name.

Imports everything, but what is heavy inside the functions. `ramify.cli` lists them.
"""
