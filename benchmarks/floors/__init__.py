"""The floors: the same work in the obvious way, in at most 30 lines each, without anything of Turnero's."""
