"""Another name of the module ``baremetalclient.v1.port``."""

import sys

from baremetalclient.v1 import port

sys.modules[__name__] = port
