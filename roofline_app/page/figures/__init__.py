"""Views to Bokeh figures, and views to new source data. Figures are made once; their sources are replaced."""
