"""Another name of the module ``baremetalclient.v1.driver``."""

import sys

from baremetalclient.v1 import driver

sys.modules[__name__] = driver
