"""Another name of the module ``baremetalclient.common.apiclient.exceptions``."""

import sys

from baremetalclient.common.apiclient import exceptions

sys.modules[__name__] = exceptions
