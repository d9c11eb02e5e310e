"""Models, connections, transactions, migrations, plain SQL. The log of moves is the truth; all else is computed."""
