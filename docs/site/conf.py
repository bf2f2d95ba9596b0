"""Settings of Sphinx, which builds the documentation."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

from nlpviz import __version__  # noqa: E402

project = "nlpviz"
author = "the nlpviz authors"
project_copyright = "the nlpviz authors, Apache-2.0"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton", "mathml"]
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 4
myst_dmath_allow_labels = False
suppress_warnings = ["myst.header"]  # a “How to read this” may begin with a heading of any level

autodoc_typehints = "description"
autodoc_member_order = "bysource"
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
math_numfig = False
html_math_renderer = "mathml"  # MathJax would be fetched from another host

html_theme = "furo"
html_title = f"nlpviz {release}"
html_static_path = ["static"]
html_css_files = ["look.css"]
html_copy_source = False
html_show_sphinx = False
html_show_search_summary = False  # it would be fetched, which a page opened from a file may not do
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#2a5d9f", "color-brand-content": "#2a5d9f"},
    "dark_css_variables": {"color-brand-primary": "#8ab4f0", "color-brand-content": "#8ab4f0"},
}
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True
