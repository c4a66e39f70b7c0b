"""The companion's command line, with Lantern Night registered."""

import sys

from companion.cli import main
from examples.lantern_night import register

register()
sys.exit(main())
