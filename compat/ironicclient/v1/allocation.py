"""Another name of the module ``baremetalclient.v1.allocation``."""

import sys

from baremetalclient.v1 import allocation

sys.modules[__name__] = allocation
