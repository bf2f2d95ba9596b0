"""What is drawn of runs. No module of ``nlpviz.run_kinds`` itself needs what draws: all are imported to be found."""
