"""Order blocks and lines to orders or diagnostics."""
