"""Command line, scheduler, settings and the one place where everything is wired together."""
