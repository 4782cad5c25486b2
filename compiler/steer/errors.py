"""Refusals: what a user can change."""


class SteerError(Exception):
    """One sentence for the user. The command line prints it and exits with 1."""
