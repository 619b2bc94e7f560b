"""Another name of the module ``baremetalclient.common.base``."""

import sys

from baremetalclient.common import base

sys.modules[__name__] = base
