"""Another name of the module ``baremetalclient.v1.portgroup``."""

import sys

from baremetalclient.v1 import portgroup

sys.modules[__name__] = portgroup
