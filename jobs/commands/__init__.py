"""The commands of `turnero`, a module each."""
