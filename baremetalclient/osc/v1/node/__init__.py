"""Commands about nodes, a module for each topic, named as in ``baremetalclient.v1.node``."""
