"""Everything that imports Streamlit and is shared by the pages."""
