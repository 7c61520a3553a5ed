"""Game, setup, override and scenario files to checked models, with positions."""
