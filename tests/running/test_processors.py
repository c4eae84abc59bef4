"""The cores and caches of a machine, as it tells of them."""

import jax

from tb2learn.running import processors


def test_every_core_that_may_be_used_is_a_device(monkeypatch):
    asked = []
    monkeypatch.setattr(jax.config, "update", lambda name, value: asked.append((name, value)))
    monkeypatch.setattr(
        processors.os, "sched_getaffinity", lambda process: {0, 2, 5}, raising=False
    )
    processors.use_all_cores()
    processors.use_all_cores(2)
    monkeypatch.delattr(processors.os, "sched_getaffinity")
    for counted in (7, None):
        monkeypatch.setattr(processors.os, "cpu_count", lambda counted=counted: counted)
        processors.use_all_cores()
    assert asked == [("jax_num_cpu_devices", cores) for cores in (3, 2, 7, 1)]


def test_the_second_level_cache(tmp_path, monkeypatch):
    monkeypatch.setattr(processors, "_CACHES", tmp_path)
    assert processors.cache_bytes() == 512 * 1024
    for index, (level, size) in enumerate((("1", "32K"), ("2", "1024K"), ("3", "9999K"))):
        folder = tmp_path / f"index{index}"
        folder.mkdir()
        (folder / "level").write_text(f"{level}\n")
        (folder / "size").write_text(f"{size}\n")
    assert processors.cache_bytes() == 1024 * 1024
    (tmp_path / "index1" / "size").write_text("many")
    assert processors.cache_bytes() == 512 * 1024


def test_flags_are_those_of_before_again(monkeypatch):
    monkeypatch.setenv("XLA_FLAGS", "--one")
    with processors.large_kernels():
        assert processors.os.environ["XLA_FLAGS"].endswith("=4000000 --one")
    assert processors.os.environ["XLA_FLAGS"] == "--one"
