"""`python3 web/bundler` writes the bundles, with nothing installed."""

import sys
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
import_module("bundler.build").main()
