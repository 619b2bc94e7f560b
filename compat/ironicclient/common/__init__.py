"""The modules of ``baremetalclient.common``."""

from ironicclient._modules import importer

__getattr__ = importer(__name__)
