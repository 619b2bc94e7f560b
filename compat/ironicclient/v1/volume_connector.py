"""Another name of the module ``baremetalclient.v1.volume_connector``."""

import sys

from baremetalclient.v1 import volume_connector

sys.modules[__name__] = volume_connector
