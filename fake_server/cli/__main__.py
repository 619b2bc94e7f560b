"""``python -m fake_server.cli``."""

import sys

from fake_server.cli import main

sys.exit(main())
