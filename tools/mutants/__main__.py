"""Run ``tools/dev mutants``."""

import sys

# The processes that run tests import this module, too, but do without the command.
if __name__ == "__main__":
    from tools.mutants.command import main

    sys.exit(main())
