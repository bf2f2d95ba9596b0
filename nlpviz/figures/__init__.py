"""From results to Plotly figures and HTML: no computation of scores, no torch, no Streamlit."""

# Plotly looks for numpy and pandas in `sys.modules`, and fails where another visitor's thread has half imported them.
# Imported here they are whole before any figure is: all threads wait for that, once, at Python's lock of this package.
import numpy as np  # noqa: F401
import pandas as pd  # noqa: F401
