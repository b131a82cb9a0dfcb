"""Run the command line with ``python -m ramify``."""

import sys

from ramify.cli import main

if __name__ == "__main__":
    sys.exit(main())
