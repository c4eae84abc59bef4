"""Every form of every shipped rule, and refusals that agree."""

import pytest
from helpers import tracked

from tb2learn.catalogue import load_rule
from tb2learn.export.forms import FORMS, export_rule
from tb2learn.types import InputError

FIVE = ("csv", "json", "xlsx", "pdf", "html")
FILES = [path.stem for path in tracked("checkpoints/*.npz")]
PARTS = [f"{name}-pass{n}" for name in FILES if name.startswith("learned-") for n in (1, 2)]
SHIPPED = ["product", *FILES, *PARTS]
QUICK = ("product", "formula-180x11", "formula-38x9", "learned-38x9-pass1")


@pytest.mark.parametrize(
    "name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in SHIPPED]
)
def test_every_form_of_a_shipped_rule_is_the_same_bytes_every_time(name, tmp_path):
    rule = load_rule(name)
    paths = export_rule(rule, tmp_path, formats=FIVE)
    assert [path.name for path in paths] == [f"{name}.{form}" for form in FIVE]
    starts = (b"#,table,", b'{"schema"', b"PK\x03\x04", b"%PDF-", b"<!doctype")
    for start, path in zip(starts, paths, strict=False):
        assert path.read_bytes().startswith(start)
    again = export_rule(rule, tmp_path / "again", formats=FIVE)
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in paths]


@pytest.mark.parametrize("form", FIVE)
def test_a_rule_without_table_or_formula_is_refused_in_the_same_words(form, tmp_path):
    with pytest.raises(InputError, match="buchholz has neither a table nor a formula to print"):
        export_rule(load_rule("buchholz"), tmp_path, formats=(form,))
    with pytest.raises(InputError, match="language must be one of en, hu, es, fr, de, got 'xx'"):
        export_rule(load_rule("product"), tmp_path, formats=(form,), language="xx")
    assert set(FORMS) == {*FIVE, "pencil"} and not list(tmp_path.iterdir())
