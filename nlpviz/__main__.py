"""``python -m nlpviz``."""

import sys

from nlpviz.commands.cli import main

sys.exit(main())
