"""Kinds of studies. Each module has `report`, which makes the report on a study and its runs."""
