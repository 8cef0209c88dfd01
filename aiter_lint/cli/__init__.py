"""The last stage: what a user types, and what comes out of it."""
