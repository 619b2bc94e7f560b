"""Another name of the module ``baremetalclient.v1.deploy_template``."""

import sys

from baremetalclient.v1 import deploy_template

sys.modules[__name__] = deploy_template
