"""Another name of the module ``baremetalclient.v1.runbook``."""

import sys

from baremetalclient.v1 import runbook

sys.modules[__name__] = runbook
