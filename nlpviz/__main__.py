"""``python -m nlpviz``."""

import sys

from nlpviz.cli import main

sys.exit(main())
