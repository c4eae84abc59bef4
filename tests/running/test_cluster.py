"""Runs on a cluster of processes: the same bytes, and one line for what is no scheduler."""

import functools
import importlib.util
import json
import sys
from pathlib import Path

import jax
import numpy as np
import pytest
from machines import Machines

import tb2learn as tb
from tb2learn import cli
from tb2learn.running import cluster as clusters
from tb2learn.simulation import simulate
from tb2learn.types import InputError

DECISIONS = """
name = "d"
event = {teams = 9, rounds = 4, boards = 2}
train = {objective = "decisions", events = 301, held_out = 30, seed = 3}
decisions = {passes = 2, knots = 4}
"""


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory):
    jax.devices()  # A command that begins with a training gives XLA options that assess has not.
    with Machines(tmp_path_factory.mktemp("cluster")) as machines:
        yield machines


@pytest.fixture(scope="module")
def machines(scheduler):
    """One worker that plays two ranges of events at a time; several are tried by slow tests."""
    scheduler.worker("--nthreads", 2)
    return scheduler


def said(capsys, *arguments, status=0):
    capsys.readouterr()
    assert cli.main(list(map(str, arguments))) == status
    return capsys.readouterr()


@pytest.mark.thorough
def test_a_cluster_without_workers_is_not_waited_for_longer_than_said(
    scheduler, capsys, monkeypatch
):
    """Before `machines` has any."""
    monkeypatch.setattr(clusters, "WAIT", 1.0)
    errors = said(capsys, "train", "small-20x7", "--cluster", scheduler.address, status=130).err
    assert errors == (
        "tb2learn: the cluster has no worker yet; waiting up to 1 seconds\n"
        "tb2learn: the cluster has had no worker for 1 seconds\n"
    )


@pytest.mark.thorough
def test_a_cluster_computes_what_one_machine_does(machines, tmp_path, capsys):
    """A table in passes and its assessment, by the commands; events to look at, by a client."""
    from distributed import Client

    world = tmp_path / "d.toml"
    world.write_text(DECISIONS)
    given = (), ("--cluster", machines.address)
    tables = [tmp_path / folder / "t.npz" for folder in ("one", "two")]
    for table, cluster in zip(tables, given, strict=True):
        errors = said(capsys, "train", world, "--out", table.with_suffix(""), *cluster).err
    assert "distributed" not in errors and "lost" not in errors
    one, two = tables
    assert one.read_bytes() == two.read_bytes()
    assert [path.name for path in two.parent.iterdir()] == ["t.npz"]
    command = ("assess", one, "--events", 300, "--json", "-")
    alone = said(capsys, *command).out
    assert said(capsys, *command, "--cluster", machines.file).out == alone
    with Client(machines.address) as client:
        events = [tb.simulate(world, events=301, cluster=one) for one in (None, client)]
        # Whoever gave the client goes on with it.
        assert client.status == "running"
    np.testing.assert_array_equal(*(one.opponents for one in events))
    np.testing.assert_array_equal(*(one.half_points for one in events))


@pytest.mark.thorough
def test_wrong_totals_of_a_worker_end_the_run(machines, capsys, monkeypatch):
    def forged(job, events):
        from tb2learn.simulation.simulate import _count as honest

        return (*honest(job, events)[:2], np.array([10**15]))

    monkeypatch.setattr(simulate, "_count", forged)
    command = ("assess", "product", "--on", "small-20x7", "--events", 8, "--quiet")
    out, errors = said(capsys, *command, "--cluster", machines.address, status=2)
    line = errors.splitlines()[-1]  # after the progress bar
    assert out == "" and line.startswith("tb2learn: error: worker tcp://127.0.0.1:")
    assert line.endswith("its shape, type or range is wrong") and "Traceback" not in errors


def test_totals_from_outside_have_the_shape_type_and_range_of_counts():
    nothing = (np.zeros((2, 3), np.int64), {"a": np.zeros((), np.int64)})
    good = (np.full((2, 3), 7), {"a": np.array(5 << 31)})
    fits = functools.partial(simulate._fits, nothing, False, range(5))
    assert fits(good) and fits((good[0], {"a": np.int64(1)}))
    for wrong in (
        None, 1, (), good[0], [*good], (*good, 1), (good[0], {"b": good[1]["a"]}),
        (good[0], {"a": 1}),
        (good[0][:1], good[1]), (good[0].astype(float), good[1]), (good[0].astype(object), good[1]),
        (-good[0], good[1]), (good[0], {"a": np.array((5 << 31) + 1)}), ({1: 2, "x": 3}, good[1]),
    ):  # fmt: skip
        assert not fits(wrong), wrong
    assert simulate._fits(nothing, True, range(5), (-good[0], good[1]))
    # Events that are kept as they are.
    kept = functools.partial(simulate._fits, [(np.zeros((0, 3), np.int32),)], False, range(5))
    part = [(np.ones((size, 3), np.int32),) for size in range(6)]
    assert kept([part[5]]) and kept([part[2], part[3]])
    for wrong in ([], [part[2]], part[5], [(part[5][0][:, :2],)], [(part[5][0] * 1.0,)], [None]):
        assert not kept(wrong)


def refusal(capsys, address):
    out, errors = said(capsys, "train", "small-20x7", "--cluster", address, status=2)
    assert out == "" and errors.count("\n") == 1 and errors.startswith("tb2learn: error: ")
    return errors


@pytest.fixture
def impatient():
    import dask
    import distributed  # noqa: F401 - its defaults would go with the setting that came before them

    with dask.config.set({"distributed.comm.timeouts.connect": "1s"}):
        yield


def test_what_is_no_scheduler_is_one_line(capsys, tmp_path, monkeypatch, impatient):
    monkeypatch.chdir(tmp_path)
    Path("broken.json").write_text("{")
    Path("other.json").write_text(json.dumps({"address": 1}))
    for address, words in [
        ("tcp://127.0.0.1:1", "no scheduler at 'tcp://127.0.0.1:1': "),
        ("http://127.0.0.1:8787/status", "unknown address scheme"),
        ("localhost", "missing port"),
        ("tls://127.0.0.1:1", "TLS"),
        ("missing.json", "missing.json: cannot be read: No such file or directory"),
        ("broken.json", "Expecting property name"),
        ("other.json", "this is not a scheduler file"),
        ("", "must not be empty"),
    ]:
        assert words in refusal(capsys, address)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broken.json", "other.json"]


def test_without_the_extra_a_line_names_it(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "pip install dask distributed" in refusal(capsys, "tcp://127.0.0.1:1")
    assert importlib.util.find_spec("dask")  # which is not all that is needed


@pytest.mark.slow
def test_what_is_no_cluster_is_refused():
    with pytest.raises(InputError, match=r"cluster must be a distributed.Client or an address"):
        tb.simulate("small-20x7", cluster=7)
