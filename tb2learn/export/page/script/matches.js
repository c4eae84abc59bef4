// This part holds what the readers of all forms share: matches, their points, ratings of teams.

/** A match between two teams, or the round of one without an opponent. */
const newMatch = (round, a, b, given = {}) => ({
  round, a, b, bye: "", halfA: 0, halfB: 0, decided: 0, forfeited: 0, recorded: [null, null],
  ...given,
});

/** Add a board to a match: the half points of its two sides, and whether it was played. */
function addGame(match, halfA, halfB, played) {
  match.halfA += halfA;
  match.halfB += halfB;
  match.decided += played || halfA + halfB > 0 ? 1 : 0;
  match.forfeited += !played && halfA + halfB > 0 ? 1 : 0;
}

/** Match points 2, 1, 0 of both sides by the game points; 0 for both if nobody scored. */
function usualPoints({ b, bye, halfA, halfB }) {
  if (b === null) return [KNOWN.byes[bye], 0];
  const sign = Math.sign(halfA - halfB);
  return halfA + halfB ? [1 + sign, 1 - sign] : [0, 0];
}

/** Match points of both sides, by the game points or as recorded. */
const matchPoints = (match) =>
  usualPoints(match).map((points, side) => match.recorded[side] ?? points);

/** The matches, with match points of their own where an event does not score 2, 1, 0. */
function withScoring(matches, scoring) {
  for (const match of String(scoring) === String(STANDARD) ? [] : matches) {
    match.recorded = usualPoints(match).map((points, side) => match.recorded[side]
      ?? (match.b === null && !points ? 0 : scoring[STANDARD[0] - points]));
  }
  return matches;
}

/** The mean of the best ratings; null without one. */
function meanOfBest(ratings, boards) {
  const rated = ratings.filter((rating) => rating > 0);
  const best = (rated.length ? rated : ratings).sort((a, b) => b - a).slice(0, boards);
  return best.length ? sum(best) / best.length : null;
}

/** The mean rating of every team by its players, `{team, rating}`, who sat on a board. */
const ratingsOf = (count, seated, boards) => Array.from({ length: count }, (_, team) =>
  meanOfBest([...seated].filter((player) => player.team === team && player.rating)
    .map(({ rating }) => rating), boards));
