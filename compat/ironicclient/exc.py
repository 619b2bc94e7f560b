"""Another name of the module ``baremetalclient.exc``."""

import sys

from baremetalclient import exc

sys.modules[__name__] = exc
