"""What Turnero costs, as ratios to floors measured in the same run, and how it grows (`make bench`)."""
