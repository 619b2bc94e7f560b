"""Another name of the module ``baremetalclient.v1.resource_fields``."""

import sys

from baremetalclient.v1 import resource_fields

sys.modules[__name__] = resource_fields
