"""Values to text: receipts, reports, letters, proofs. Pure."""
