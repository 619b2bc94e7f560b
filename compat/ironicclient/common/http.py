"""Another name of the module ``baremetalclient.common.http``."""

import sys

from baremetalclient.common import http

sys.modules[__name__] = http
