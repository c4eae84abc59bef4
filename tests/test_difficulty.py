"""The difficulty log: what it counts, how logs add up, and the file."""

import io
import json
import zipfile
from dataclasses import replace
from functools import partial

import jax
import numpy as np
import pytest
import slow_oracle as oracle
from helpers import match_law
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tb2learn import difficulty, games
from tb2learn.config import Config, EventFormat, FieldConfig, GameConfig, TrainConfig
from tb2learn.olympiad import Event, play
from tb2learn.rng import Purpose, stream
from tb2learn.types import InputError

ALPHA = 1e-3  # of every statistical test; the seeds are fixed
EVENTS = 20
CONFIG = Config("tiny", event=EventFormat(teams=9, rounds=4, boards=2))
SAMPLED = replace(CONFIG, train=TrainConfig(law="sampled"))


@pytest.fixture(scope="module")
def log():
    return difficulty.collect(CONFIG, EVENTS, seed=1, batch=7)


@pytest.fixture(scope="module")
def sampled():
    return difficulty.collect(SAMPLED, 5 * EVENTS, seed=1, batch=64)


def played(config, events, seed):
    """Rosters and match points of the events behind a log."""

    @partial(jax.jit, static_argnames="config")
    def play_one(key, config):
        event = play(jax.random.split(key)[0], config)
        return event.rosters, event.match_points

    key = stream(seed, Purpose.TRAIN)
    for i in range(events):
        rosters, points = play_one(jax.random.fold_in(key, i), config)
        yield np.asarray(rosters).tolist(), np.asarray(points).tolist()


def pairs_of(teams):
    return [(a, b) for a in range(teams) for b in range(teams) if a != b]


# --- what is counted ------------------------------------------------------------------------------


def test_log_equals_a_slow_count(log, draw_rate):
    law_of = partial(oracle.match_law, tail="consistent", draw_rate=draw_rate)
    expected = np.zeros(log.counts.shape)
    for rosters, points in played(CONFIG, EVENTS, 1):
        for a, b in pairs_of(CONFIG.event.teams):
            expected[points[a], points[b]] += law_of(rosters[a], rosters[b])
    # The law of each pair is off by 1e-4 at most, and no pair is missing.
    matches = expected.sum(axis=-1, keepdims=True)
    assert (np.abs(log.counts / log.unit - expected) <= 1e-4 * matches + 1e-9).all()
    np.testing.assert_array_equal(
        log.counts.sum(axis=-1, keepdims=True), np.rint(matches).astype(np.int64) * log.unit
    )


@pytest.mark.parametrize("which", ["log", "sampled"])
def test_log_adds_up(which, request):
    one = request.getfixturevalue(which)
    teams = one.config.event.teams
    assert one.unit == {"log": games.UNIT, "sampled": 1}[which]
    assert one.events == {"log": EVENTS, "sampled": 5 * EVENTS}[which]
    assert one.counts.dtype == np.int64 and one.counts.shape == (9, 9, 5)
    assert (one.counts >= 0).all()
    assert one.counts.sum() == teams * (teams - 1) * one.events * one.unit
    # Each match is seen from both sides.
    np.testing.assert_array_equal(one.counts, one.counts.transpose(1, 0, 2)[:, :, ::-1])


def test_exact_and_sampled_agree(log, sampled):
    # The same events (a longer run of them), so that the drawn matches have the exact law. Matches
    # of teams with different points are counted once, from above. The spread of a sum over
    # different pairs is below the multinomial's: the test errs on the side of passing.
    exact = difficulty.collect(CONFIG, 5 * EVENTS, seed=1, batch=7)
    above = np.tril(np.ones((9, 9), bool), k=-1)
    expected = exact.counts[above].sum(axis=0) / games.UNIT
    drawn = sampled.counts[above].sum(axis=0)
    assert drawn.sum() == pytest.approx(expected.sum(), rel=1e-12)
    assert stats.chisquare(drawn, expected).pvalue > ALPHA
    # Cell by cell the numbers of matches are the same, exactly.
    np.testing.assert_array_equal(sampled.counts.sum(axis=-1) * games.UNIT,
                                  exact.counts.sum(axis=-1))


@pytest.mark.parametrize("batch", [1, 64])
def test_same_log_for_every_batch_size(batch, log):
    other = difficulty.collect(CONFIG, EVENTS, seed=1, batch=batch)
    np.testing.assert_array_equal(log.counts, other.counts)
    assert log.ranges == other.ranges


@pytest.mark.slow
def test_same_drawn_log_for_every_batch_size(sampled):
    other = difficulty.collect(SAMPLED, 5 * EVENTS, seed=1, batch=7)
    np.testing.assert_array_equal(sampled.counts, other.counts)


def random_event(teams, points, boards, seed):
    random = np.random.default_rng(seed)
    rosters = -np.sort(-random.integers(1700, 2800, (teams, boards)), axis=-1)
    nothing = np.zeros((1, teams), np.int32)
    arrays = (rosters.astype(np.int32), nothing, nothing, np.asarray(points, np.int32))
    return Event(*map(jax.numpy.asarray, arrays))


count_matches = jax.jit(difficulty.count_matches, static_argnames="config")


def check_counts(teams, points, boards, tail="consistent"):
    """Integer for integer: the law of every pair, counted with numpy."""
    event = random_event(teams, points, boards, teams)
    config = Config("many", event=EventFormat(teams, 3, boards), game=GameConfig(tail))
    high, low = count_matches(jax.random.key(0), event, config, None)
    reached = (np.asarray(high).astype(np.int64) << 12) + np.asarray(low)
    counts = -np.diff(reached, append=0)
    rosters = event.rosters
    law = np.asarray(match_law(
        jax.numpy.repeat(rosters[:, None], teams, axis=1),
        jax.numpy.repeat(rosters[None], teams, axis=0), config.game,
    )).astype(np.int64)
    once = np.triu(np.ones((teams, teams), bool), k=1)
    expected = np.zeros((7, 7, 2 * boards + 1), np.int64)
    own, opponent = (np.asarray(points)[side] for side in np.nonzero(once))
    np.add.at(expected, (own, opponent), law[once])
    np.testing.assert_array_equal(counts, expected)


@pytest.mark.parametrize("spread", [1, 7])
def test_count_is_exact_for_many_teams(spread):
    # More teams than one exact float32 product takes; with all on equal points a cell holds more
    # than 2**31 units.
    check_counts(600, np.random.default_rng(0).integers(0, spread, 600), 1)


@pytest.mark.slow
@pytest.mark.parametrize("spread", [1, 7])
def test_count_is_exact_for_the_most_teams(spread):
    check_counts(1000, np.random.default_rng(0).integers(0, spread, 1000), 4, "literal")


# --- scores ---------------------------------------------------------------------------------------


def test_scores_of_a_log(log):
    k, n = log.fails()
    scores = log.scores()
    assert k.shape == (9, 9, 4) and n.shape == (9, 9, 1) and scores.shape == (9, 9, 5)
    seen = 0
    for own, opponent in np.ndindex(9, 9):
        results = log.counts[own, opponent].tolist()
        if sum(results) == 0:
            assert np.isnan(scores[own, opponent]).all()
            continue
        seen += 1
        fail, total = oracle.failures(results)
        assert k[own, opponent].tolist() == fail[1:] and n[own, opponent, 0] == total[0]
        expected = oracle.difficulty_score(fail, total, CONFIG.event.boards)
        np.testing.assert_allclose(scores[own, opponent], expected, rtol=0, atol=1e-15)
    assert 0 < seen < 81


@given(
    st.integers(1, 12).flatmap(
        lambda boards: st.lists(
            st.integers(0, 10**6), min_size=2 * boards + 1, max_size=2 * boards + 1
        )
    ).filter(any)
)
def test_difficulty_score(results):
    fail, total = oracle.failures(results)
    ours = difficulty.difficulty_score(np.array(fail[1:]) / total[0])
    expected = oracle.difficulty_score(fail, total, len(results) // 2)
    np.testing.assert_allclose(ours, expected, rtol=0, atol=1e-15)
    assert (np.diff(ours) >= 0).all() and ours[0] >= 0 and ours[-1] <= 1


# --- adding logs ----------------------------------------------------------------------------------


def log_of(counts, *ranges, config=CONFIG, unit=games.UNIT):
    return difficulty.DifficultyLog(np.full((9, 9, 5), counts, np.int64), unit, config, ranges)


def test_merged_parts_are_the_whole(log):
    parts = [
        difficulty.collect(CONFIG, events, seed=1, first=first, batch=7)
        for first, events in [(0, 3), (3, 12), (15, 5)]
    ]
    a, b, c = parts
    left = difficulty.merge(difficulty.merge(a, b), c)
    right = difficulty.merge(a, difficulty.merge(b, c))
    swapped = difficulty.merge(c, difficulty.merge(b, a))
    for merged in (left, right, swapped):
        np.testing.assert_array_equal(merged.counts, log.counts)
        assert merged.events == EVENTS
    assert left.ranges == right.ranges == ((1, 0, 0, 3), (1, 0, 3, 12), (1, 0, 15, 5))


@pytest.mark.parametrize(
    ("first", "events", "message"),
    [
        (0, 10, "both logs hold events 0.. of seed 1"),
        (9, 1, "both logs hold events 9.. of seed 1"),
        (5, 100, "both logs hold events 5.. of seed 1"),
    ],
)
def test_shared_events_are_refused(first, events, message):
    one, other = log_of(1, (1, 0, 0, 10)), log_of(1, (7, 0, 0, 9), (1, 0, first, events))
    for pair in [(one, other), (other, one)]:
        with pytest.raises(InputError, match=message):
            difficulty.merge(*pair)


@pytest.mark.parametrize("stretch", [(1, 0, 10, 5), (2, 0, 0, 10), (1, 2, 0, 10)])
def test_events_that_are_not_shared(stretch):
    merged = difficulty.merge(log_of(1, (1, 0, 0, 10)), log_of(2, stretch))
    assert (merged.counts == 3).all() and merged.ranges == ((1, 0, 0, 10), stretch)


@pytest.mark.parametrize(
    "other",
    [
        replace(CONFIG, game=GameConfig("literal")),
        replace(CONFIG, field=FieldConfig(seed_noise=0.0)),
        replace(CONFIG, event=EventFormat(10, 4, 2)),
        SAMPLED,
    ],
)
def test_other_configurations_are_refused(other):
    with pytest.raises(InputError, match="logs of different configurations: tiny, tiny"):
        difficulty.merge(log_of(1, (1, 0, 0, 10)), log_of(1, (2, 0, 0, 10), config=other))


def test_other_units_are_refused():
    with pytest.raises(InputError, match="different configurations"):
        difficulty.merge(log_of(1, (1, 0, 0, 10)), log_of(1, (2, 0, 0, 10), unit=1))


def test_a_name_is_no_difference():
    renamed = replace(CONFIG, name="other", description="other words")
    merged = difficulty.merge(log_of(1, (1, 0, 0, 10)), log_of(1, (2, 0, 0, 10), config=renamed))
    assert merged.config == CONFIG


# --- the file -------------------------------------------------------------------------------------


def test_file_round_trip(log, tmp_path):
    path = tmp_path / "new" / "log.npz"
    difficulty.save(log, path)
    assert [p.name for p in path.parent.iterdir()] == ["log.npz"]
    loaded = difficulty.load(path)
    np.testing.assert_array_equal(loaded.counts, log.counts)
    assert loaded.counts.dtype == np.int64
    assert (loaded.unit, loaded.config, loaded.ranges) == (log.unit, log.config, log.ranges)
    # Infinity in the configuration comes back as itself.
    assert loaded.config.field.seed_noise == float("inf")


def test_equal_content_gives_equal_bytes(log, tmp_path):
    again = replace(log, counts=np.asfortranarray(log.counts.copy()))
    difficulty.save(log, tmp_path / "a.npz")
    difficulty.save(again, tmp_path / "b.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    difficulty.save(difficulty.load(tmp_path / "a.npz"), tmp_path / "c.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "c.npz").read_bytes()


@pytest.fixture
def saved(log, tmp_path):
    path = tmp_path / "log.npz"
    difficulty.save(log, path)
    return path


def refused(path, data):
    """Loading these bytes raises one line that begins with the file's name."""
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        difficulty.load(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ") and "\n" not in message


def test_truncated_files(saved):
    data = saved.read_bytes()
    for length in [*range(200), *range(200, len(data), 7), len(data) - 1]:
        refused(saved, data[:length])


def test_garbage_files(saved):
    data = saved.read_bytes()
    random = np.random.default_rng(0)
    for garbage in [
        b"", b"\n", b"{}", b"PK", b"PK\x05\x06" + bytes(18), b"\x93NUMPY", b"Gr\xf6\xdfe",
        random.bytes(10_000), bytes(10_000), data[::-1], data[100:],
    ]:
        refused(saved, garbage)


@pytest.mark.parametrize("path", ["none.npz", "folder", "log.npz/log.npz", f"{'x' * 300}.npz"])
def test_files_that_cannot_be_read(path, saved):
    (saved.parent / "folder").mkdir()
    with pytest.raises(InputError, match="cannot be read: ") as caught:
        difficulty.load(saved.parent / path)
    assert str(saved.parent / path) in str(caught.value)


def test_files_with_one_wrong_byte(saved, log):
    # Either it does not matter, or it is refused by name.
    data = saved.read_bytes()
    for i in range(0, len(data), 3):
        wrong = bytearray(data)
        wrong[i] ^= 0x10
        saved.write_bytes(wrong)
        try:
            loaded = difficulty.load(saved)
        except InputError as error:
            assert str(saved) in str(error)
        else:
            np.testing.assert_array_equal(loaded.counts, log.counts)


def archive(**members):
    """A zip file with these members, arrays as numpy writes them."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as target:
        for name, content in members.items():
            if isinstance(content, np.ndarray):
                member = io.BytesIO()
                np.save(member, content, allow_pickle=False)
                target.writestr(f"{name}.npy", member.getvalue())
            else:
                target.writestr(name, content)
    return buffer.getvalue()


def header_of(log, **changes):
    header = {**dict(difficulty._header(log)), **changes}
    return np.frombuffer(json.dumps(header).encode(), np.uint8)


@pytest.mark.parametrize(
    "changes",
    [
        {"schema": 2}, {"schema": None}, {"schema": [1]}, {"unit": "many"}, {"unit": None},
        {"ranges": 5}, {"ranges": [5]}, {"ranges": "ab"}, {"ranges": [["a", 0, 0, 1]]},
        {"config": {}}, {"config": []}, {"config": {"name": "../x"}}, {"config": {"name": 5}},
        {"config": {"name": "x", "event": {"teams": 1}}},
        {"config": {"name": "x", "event": {"teams": 9, "rounds": 5, "boards": 2}}},
    ],
)
def test_wrong_headers(changes, saved, log):
    refused(saved, archive(header=header_of(log, **changes), counts=log.counts))


@pytest.mark.parametrize(
    ("shape", "dtype"),
    [
        ((9, 9, 5), float), ((9, 9, 5), np.int32), ((9, 9, 5), "U1"), ((9, 9, 4), np.int64),
        ((9, 81, 5), np.int64), ((9, 9), np.int64), ((), np.int64),
    ],
)
def test_wrong_counts(shape, dtype, saved, log):
    refused(saved, archive(header=header_of(log), counts=np.zeros(shape, dtype)))


def test_missing_arrays(saved, log):
    refused(saved, archive(header=header_of(log)))
    refused(saved, archive(counts=log.counts))
    refused(saved, archive(header=np.frombuffer(b"[]", np.uint8), counts=log.counts))
    refused(saved, archive(header=np.frombuffer(b"{}", np.uint8), counts=log.counts))


def npy(descr, shape):
    """The bytes of an array whose header says this, and no data."""
    text = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}".encode()
    return b"\x93NUMPY\x01\x00\x76\x00" + text.ljust(117) + b"\n"


@pytest.mark.parametrize(
    "members",
    [
        {"header": b"{}"},  # not arrays: without the name's .npy
        {"counts": b"5"},
        {"counts.npy": npy("'<i8'", "(100000000000000,)")},  # 728 TiB
        {"counts.npy": npy("('<i8", "(9, 9, 5)")},
        {"header": np.frombuffer(b"[" * 100_000, np.uint8)},
        {"header": {"unit": float("inf")}},
        {"header": {"unit": 1.5}},
        {"header": {"unit": 0}},
        {"header": {"ranges": [[float("inf"), 0, 0, 1]]}},
        {"header": {"ranges": [[1, 2, 3]]}},
        {"header": {"ranges": [[1, 0, 0, -5]]}},
        {"header": {"config": {"name": "x", "event": {"teams": 10**400}}}},
    ],
    ids=lambda members: ascii(members)[:60],
)
def test_hostile_files(members, saved, log):
    members = {"header": {}, "counts": log.counts, **members}
    if "counts.npy" in members:
        del members["counts"]
    if isinstance(members["header"], dict):
        members["header"] = header_of(log, **members["header"])
    refused(saved, archive(**members))


@pytest.mark.parametrize(("offset", "value"), [(6, 99), (8, 1), (8, 32), (10, 1), (10, 99)])
def test_unknown_kinds_of_zip_file(offset, value, saved):
    # The version, the flags (encrypted, patched) and the method of the first member's entry.
    data = bytearray(saved.read_bytes())
    data[data.index(b"PK\x01\x02") + offset] = value
    refused(saved, bytes(data))
