"""Values that parsers, reporters and processor share and that rule sets don't see."""
