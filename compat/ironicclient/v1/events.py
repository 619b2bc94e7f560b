"""Another name of the module ``baremetalclient.v1.events``."""

import sys

from baremetalclient.v1 import events

sys.modules[__name__] = events
