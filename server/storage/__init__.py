"""Storage: models, connections, transactions, migrations. The log of moves is the truth; all else is computed."""
