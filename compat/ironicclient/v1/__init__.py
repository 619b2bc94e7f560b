"""The modules of ``baremetalclient.v1``."""

from ironicclient._modules import importer

__getattr__ = importer(__name__)
