"""From a rule to a decision: what a commission needs to adopt it, in one folder.

- `regulation`: the text of a regulation, generated from the rule itself.
- `evidence`: what is known of the rule, measured on the spot, and the first page in plain words.
- `conformance`: events with the expected numbers, for other programs.
- `dossier`: all of it and a real tie, worked out, as one PDF and as single files.
"""

DOSSIER, TEXT_FILE = "dossier.pdf", "regulation.txt"
REGULATION, EXAMPLE, EVIDENCE = "regulation.pdf", "example.pdf", "evidence.pdf"
TABLES, PACK, NUMBERS = "tables", "conformance", "evidence"
"""Names of files and folders."""

OURS = (DOSSIER, REGULATION, TEXT_FILE, EXAMPLE, EVIDENCE, f"{TABLES}/", f"{PACK}/", f"{NUMBERS}/")
"""All names that a dossier may have in its folder, which are replaced together."""
