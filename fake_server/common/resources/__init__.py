"""Resources that are declared: a class body says what one is, and what clients can do follows."""
