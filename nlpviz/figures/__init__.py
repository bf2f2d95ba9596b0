"""From results to Plotly figures and HTML: no computation of scores, no torch, no Streamlit."""
