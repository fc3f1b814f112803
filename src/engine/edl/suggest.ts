/** Edit distance with swaps of neighbours, given up beyond `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      }
      row.push(best);
    }
    before = previous;
    previous = row;
  }
  return previous[b.length] ?? limit + 1;
}

/** Known names that a misspelt one may stand for, nearest first, at most three. Case counts as half a letter. */
export function suggestNames(name: string, known: Iterable<string>): string[] {
  if (name.length > 64) return [];
  const limit = Math.max(1, Math.floor(name.length / 3));
  const scored: { candidate: string; distance: number }[] = [];
  for (const candidate of new Set(known)) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), limit);
    const isPart =
      name.length >= 3 && candidate.length >= 3 && (candidate.includes(name) || name.includes(candidate));
    if (distance <= limit || isPart) scored.push({ candidate, distance });
  }
  scored.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  return scored.slice(0, 3).map((entry) => entry.candidate);
}

/** "; did you mean 'x'?" or, where nothing is near, "; known: a, b, c". */
export function hintFor(suggestions: readonly string[], known: Iterable<string>): string {
  const [first] = suggestions;
  if (first !== undefined) return `; did you mean '${first}'?`;
  const names = [...new Set(known)];
  if (names.length === 0) return '';
  const shown = names.slice(0, 12).join(', ');
  return `; known: ${shown}${names.length > 12 ? ', …' : ''}`;
}
