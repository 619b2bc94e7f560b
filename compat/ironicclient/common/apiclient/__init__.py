"""The modules of ``baremetalclient.common.apiclient``."""

from ironicclient._modules import importer

__getattr__ = importer(__name__)
