"""How studies are shown: each module makes a report of a study and its runs."""
