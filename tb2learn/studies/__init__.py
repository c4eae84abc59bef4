"""Studies that answer questions of the literature, each with a report in `reports/`.

A study is a folder, and nothing else: `registry` finds it, and from what it says of itself follow
its command, its rule in the Makefile, its line in the documentation and its tests
(`make studies` writes the two lists that are kept as files). The folder of `tb2learn study dice`:

`__init__.py` says what the study is. It imports nothing heavy, as help and completion read it::

    STUDY = Study(
        "dice",
        "how often a die shows six",
        "Throw a die, and count.",
        (events(1000, "throws"), seed()),
        minutes=0,
    )

`measure.py` computes and draws. `measure` takes the options and returns long DataFrames by name.
`FILES` says in which files they stand; from these the report can be written again without
measuring. `FIGURES` draw them (`report.style` has what many figures need)::

    FILES = (Csv("counts.csv", "counts"),)

    def measure(events: int, seed: int) -> dict[str, pd.DataFrame]:
        thrown = np.random.default_rng(seed).integers(1, 7, events)
        counts = pd.Series(thrown).value_counts().sort_index()
        return {"counts": counts.rename_axis("eyes").reset_index()}

    def counts_figure(frames: Frames) -> Figure:
        figure = blank_figure(6.0, 4.0)
        figure.subplots().bar(frames["counts"]["eyes"], frames["counts"]["count"])
        return figure

    FIGURES = {"counts.png": counts_figure}

`report.md` is the report, a template that is filled in with the frames, as `run` the options, and
as `measure` the module with its constants (`report.template` has the filters)::

    # How often a die shows six

    ![Throws by eyes](counts.png)

    {{ run.events | count }} throws, seed {{ run.seed }}, are in [counts.csv](counts.csv):

    {{ counts | table }}

Where `measure.py` has `summary(frames)`, its values are given to the template, too. Claims of
authors are judged in the words of `claims`. What several studies share stands beside their folders,
or in the folder of one of them.
"""
