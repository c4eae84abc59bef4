"""What a figure was measured on: processor, instruction set, cache."""

from __future__ import annotations

import os
import platform
import re
from pathlib import Path

from tb2learn.running.processors import cache_bytes

WIDEST = (("avx512f", "AVX-512"), ("avx2", "AVX2"), ("avx", "AVX"), ("sse4_2", "SSE4.2"))
"""Flags of Linux and the instruction sets that they stand for, the widest vectors first."""


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def machine() -> str:
    """The processor in one line."""
    path = Path("/proc/cpuinfo")
    facts = dict(
        (part.strip() for part in line.split(":", 1))
        for line in (path.read_text().splitlines() if path.exists() else ())
        if ":" in line
    )
    name = facts.get("model name") or platform.processor() or platform.machine()
    flags = facts.get("flags", "").split()
    widest = next((words for flag, words in WIDEST if flag in flags), platform.machine())
    limit = re.search(r"--xla_cpu_max_isa=(\w+)", os.environ.get("XLA_FLAGS", ""))
    limited = f", programs limited to {limit[1]}" if limit else ""
    return f"{cores()} cores of {name}, {widest}{limited}, {cache_bytes() >> 10} KiB of L2 a core"
