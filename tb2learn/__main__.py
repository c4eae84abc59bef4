"""`python -m tb2learn`."""

import sys

from tb2learn.cli import main

sys.exit(main())
