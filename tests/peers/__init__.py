"""The tests of other libraries with ours in place of theirs."""
