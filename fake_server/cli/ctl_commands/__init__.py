"""The commands of ``baremetal-fake-server ctl``: a module for each thing that they control."""
