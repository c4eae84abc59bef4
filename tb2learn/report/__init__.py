"""Figures, Markdown tables and HTML pages."""
