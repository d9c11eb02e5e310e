"""One game inside a transaction: loading, playing on, its clock, whom to tell, saving."""
