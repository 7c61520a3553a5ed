"""One turn from submissions to result, without input or output."""
