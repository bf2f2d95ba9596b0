"""What the page of a visitor's own texts is made of."""
