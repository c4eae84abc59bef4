"""Fuzz all targets by turns, and say what was tried: `python tests/fuzz/soak.py HOURS FOLDER`.

Every turn is ten minutes of one target (`readers.py`), which goes on with its corpus in
`FOLDER/TARGET`; a finding is kept beside it, and the target goes on after it. The report has
inputs, shares of them that were read, and processor hours.
"""

from __future__ import annotations

import re
import resource
import subprocess
import sys
from itertools import cycle
from pathlib import Path

READERS = Path(__file__).with_name("readers.py")
TURN = 600
"""Seconds of a turn."""
LIMITS = (f"-max_total_time={TURN}", "-rss_limit_mb=4096", "-max_len=8192")


def hours() -> float:
    """Processor hours of the turns so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) / 3600


def turn(target: str, folder: Path) -> tuple[int, int, int]:
    """One turn of a target: its inputs, how many of them were read, and the findings so far."""
    corpus = folder / target
    if not corpus.exists():
        corpus.mkdir(parents=True)
        subprocess.run([sys.executable, READERS, target, "--seeds", corpus], check=True)
    prefix = f"-artifact_prefix={corpus}-"
    done = subprocess.run(
        [sys.executable, READERS, target, corpus, *LIMITS, prefix], capture_output=True, text=True
    )
    said = re.findall(r": (\d+) of (\d+) inputs read", done.stderr)
    read, inputs = map(int, said[-1]) if said else (0, 0)
    return inputs, read, len(list(folder.glob(f"{target}-[!s]*")))


def main() -> None:
    """Fuzz until the hours are used up."""
    wanted, folder = float(sys.argv[1]), Path(sys.argv[2])
    usage = subprocess.run([sys.executable, READERS], capture_output=True, text=True).stderr
    targets = re.search(r"{(.*)}", usage)[1].split(",")
    totals = {target: (0, 0) for target in targets}
    for target in cycle(targets):
        inputs, read, findings = turn(target, folder)
        totals[target] = totals[target][0] + inputs, totals[target][1] + read
        share = totals[target][1] / max(totals[target][0], 1)
        print(
            f"{hours():.2f} h  {target}: {totals[target][0]} inputs, {share:.0%} read, "
            f"{findings} findings",
            flush=True,
        )
        if hours() >= wanted:
            break


if __name__ == "__main__":
    main()
