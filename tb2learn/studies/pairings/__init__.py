"""Our pairing of individual events beside that of FIDE's Dutch system by py4swiss."""
