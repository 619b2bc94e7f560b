"""Another name of the module ``baremetalclient.v1.volume_target``."""

import sys

from baremetalclient.v1 import volume_target

sys.modules[__name__] = volume_target
