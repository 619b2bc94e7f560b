"""How the services differ in what they say: a module for each, with what it says otherwise."""
