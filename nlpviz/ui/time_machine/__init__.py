"""One text through a training: all that is shown of it goes to the same epoch at once."""
