"""Another name of the module ``baremetalclient.v1.node``."""

import sys

from baremetalclient.v1 import node

sys.modules[__name__] = node
