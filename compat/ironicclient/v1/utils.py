"""Another name of the module ``baremetalclient.v1.utils``."""

import sys

from baremetalclient.v1 import utils

sys.modules[__name__] = utils
