"""The kernel that every rule set stands on: orders, plans, dice, events, questions, documents."""
