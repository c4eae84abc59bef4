"""A wheel carries its data, configurations and trained tables, and works without a checkout."""

import subprocess
import sys
import zipfile

import pytest
from helpers import ROOT


@pytest.mark.slow
def test_wheel(tmp_path):
    root = ROOT
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir",
         str(tmp_path), str(root)],
        check=True,
    )  # fmt: skip
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    for command in (
        "rank baku2016 --tiebreak olympiad-180x11",
        "info olympiad-180x11",
        "export olympiad-180x11 --out . --format html,xlsx,pdf --lang de",
    ):
        # -P and another folder: nothing of the checkout is on the path before the wheel.
        program = (
            f"import sys; sys.path.insert(0, {str(tmp_path / 'site')!r}); import tb2learn.cli; "
            f"assert 'site' in tb2learn.__file__; sys.exit(tb2learn.cli.main({command.split()!r}))"
        )
        result = subprocess.run(
            [sys.executable, "-P", "-c", program], cwd=tmp_path, capture_output=True, text=True,
            check=True,
        )  # fmt: skip
        assert "olympiad-180x11" in result.stdout or "United States of America" in result.stdout
    names = zipfile.ZipFile(wheel).namelist()
    for file in (
        "tb2learn/configs/thesis-180x11.toml",
        "tb2learn/data/baku2016/PROVENANCE.md",
        "tb2learn/report/templates/quickstart.html",
    ):
        assert file in names
