"""Another name of the module ``baremetalclient.v1.conductor``."""

import sys

from baremetalclient.v1 import conductor

sys.modules[__name__] = conductor
