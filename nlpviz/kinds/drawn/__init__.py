"""What is drawn of runs. No module of ``nlpviz.kinds`` itself needs what draws: all are imported to be found."""
