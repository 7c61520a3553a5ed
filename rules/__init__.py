"""Pure core of Turnero: the engine, the values shared by all stages, and the rule sets."""
