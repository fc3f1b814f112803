import type { Liking } from '../types.ts';
import type { Features } from './edit-features.ts';

/** Characters of a model's hash in the name of a feature. */
const hashLength = 12;

const prefix = 'model ';

const nameOf = (modelHash: string): string => `${prefix}${modelHash.slice(0, hashLength)}`;

/** What a ranking model made of an edit, and that it was asked. Models are told apart: what one likes says nothing of another. */
export function likingFeatures(liking: Liking | null): Features {
  if (liking === null) return {};
  const name = nameOf(liking.model);
  return { [`${name} was asked`]: 1, [`${name} likes it`]: liking.value };
}

/** Whether a ranker with these features was taught anything of what a model likes. */
export function knowsModel(features: readonly string[], modelHash: string): boolean {
  return features.includes(`${nameOf(modelHash)} likes it`);
}

/** What a ranker sees of an edit where no model is asked about it. */
export function withoutLiking(features: Features): Features {
  return Object.fromEntries(Object.entries(features).filter(([name]) => !name.startsWith(prefix)));
}
