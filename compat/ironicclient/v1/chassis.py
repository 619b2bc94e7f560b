"""Another name of the module ``baremetalclient.v1.chassis``."""

import sys

from baremetalclient.v1 import chassis

sys.modules[__name__] = chassis
