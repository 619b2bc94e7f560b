"""Another name of the module ``baremetalclient.v1.inspection_rule``."""

import sys

from baremetalclient.v1 import inspection_rule

sys.modules[__name__] = inspection_rule
