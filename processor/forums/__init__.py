"""HTTP adapters, one module per forum software."""
