"""Who really played better, when teams tie at a Chess Olympiad.

Simulated team events (JAX), a learned scoring surface for the second tie-break (TB2), its proof
against an oracle, and lookup tables that an arbiter can check with a pencil.

The files read in one direction: ``types``, ``config``, ``field``, ``games``, ``pairing``,
``standings``, ``olympiad``, ``simulate``, ``difficulty``, ``surface``, ``fit``, ``oracle``,
``tables``, ``assess``, ``events``, ``export``, ``report``, ``cli``.
"""

__version__ = "0.1.0"
