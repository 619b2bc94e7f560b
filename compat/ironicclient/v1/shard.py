"""Another name of the module ``baremetalclient.v1.shard``."""

import sys

from baremetalclient.v1 import shard

sys.modules[__name__] = shard
