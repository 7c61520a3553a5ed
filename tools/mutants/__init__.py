"""A mutation run: small mistakes are planted in rule code, one at a time, and tests have to notice each."""
