"""What Turnero remembers: games, turns, evidence, results and the outbox, in SQLite or PostgreSQL."""
