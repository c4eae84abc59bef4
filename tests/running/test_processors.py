"""Processors: what Linux says of their cache."""

from tb2learn.running import processors


def test_the_cache_as_linux_describes_it(tmp_path, monkeypatch):
    monkeypatch.setattr(processors, "_CACHES", tmp_path)
    assert processors.cache_bytes() == 1 << 19  # nothing is said
    for number, (level, size) in enumerate([(1, "48K"), (1, "32K"), (2, "1024K"), (3, "32768K")]):
        index = tmp_path / f"index{number}"
        index.mkdir()
        (index / "level").write_text(f"{level}\n")
        (index / "size").write_text(f"{size}\n")
    assert processors.cache_bytes() == 1 << 20
    (tmp_path / "index2" / "size").write_text("much\n")
    assert processors.cache_bytes() == 1 << 19
