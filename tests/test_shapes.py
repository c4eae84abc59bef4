"""What signatures write shapes in: jaxtyping where it is loaded, else nothing but the array."""

import subprocess
import sys

import jaxtyping

from tb2learn import shapes

NAMES = ("Bool", "Float", "Int", "Num")


def test_whoever_has_jaxtyping_has_its_types():
    assert all(getattr(shapes, name) is getattr(jaxtyping, name) for name in NAMES)


def test_without_it_an_annotation_is_the_type_of_its_array():
    code = (
        "import sys; from tb2learn import shapes\n"
        f"types = {{getattr(shapes, name)[bytes, 'n'] for name in {NAMES}}}\n"
        "print(types, 'jaxtyping' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "{<class 'bytes'>} False\n"
