import { editDistance } from '../../shared/std/edit-distance.ts';

/** Known names that a misspelt one may stand for, nearest first, at most three. Case counts as half a letter. */
export function suggestNames(name: string, known: Iterable<string>): string[] {
  if (name.length > 64) return [];
  const limit = Math.max(1, Math.floor(name.length / 3));
  const scored: { candidate: string; distance: number }[] = [];
  for (const candidate of new Set(known)) {
    const isNear = Math.abs(name.length - candidate.length) <= limit;
    const distance = isNear ? editDistance(name.toLowerCase(), candidate.toLowerCase()) : limit + 1;
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
