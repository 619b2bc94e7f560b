"""Another name of the module ``baremetalclient.common.utils``."""

import sys

from baremetalclient.common import utils

sys.modules[__name__] = utils
