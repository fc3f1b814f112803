import { editDistance } from '../../shared/std/edit-distance.ts';

/** The candidate a writer most likely meant, or null when none is near. */
export function findClosest(word: string, candidates: readonly string[]): string | null {
  const lower = word.toLowerCase();
  let best: string | null = null;
  let bestDistance = Math.max(2, Math.floor(word.length / 2)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(lower, candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** "; did you mean x?" where something is near, else the whole list. */
export function suggest(word: string, candidates: readonly string[]): string {
  const closest = findClosest(word, candidates);
  if (closest !== null) return `; did you mean "${closest}"?`;
  return candidates.length > 0 ? `; known: ${candidates.join(', ')}` : '';
}
