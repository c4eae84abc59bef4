"""A wheel carries its data, configurations and trained tables, and works without a checkout."""

import os
import subprocess
import sys
import zipfile

import pytest
from helpers import ROOT

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """A wheel of this checkout; beside it its files, as an installer unpacks them, in `site`."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder),
         str(ROOT)],
        check=True,
    )  # fmt: skip
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return wheel


def test_wheel_carries_its_files(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    for file in (
        "tb2learn/configs/worlds/thesis-180x11.toml",
        "tb2learn/data/baku2016/PROVENANCE.md",
        "tb2learn/report/templates/quickstart.html",
    ):
        assert file in names


def test_commands_of_documentation_and_help_run_with_the_wheel(wheel, tmp_path):
    """In a folder with the examples alone; the program is that of the wheel, not the checkout's."""
    environment = {**os.environ, "PYTHONPATH": str(wheel.parent / "site")}

    def run(*arguments):
        return subprocess.run(
            [sys.executable, "-P", *arguments], cwd=tmp_path, env=environment, check=False,
            capture_output=True, text=True,
        )  # fmt: skip

    assert "site" in run("-c", "import tb2learn; print(tb2learn.__file__)").stdout
    tests = run(
        "-m", "pytest", "-n", "0", "-q", "-p", "no:cacheprovider", "-m", "not slow",
        "-c", str(ROOT / "pyproject.toml"), f"--rootdir={ROOT}", "-k", "commands or help",
        str(ROOT / "tests" / "test_docs.py"),
    )  # fmt: skip
    assert tests.returncode == 0, tests.stdout[-3000:]
    assert "passed" in tests.stdout
