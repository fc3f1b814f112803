import type { ProviderRequest } from '../providers/provider.ts';
import { askAgain } from '../providers/recorded-model.ts';
import { describeSnapshot } from '../snapshot/describe-snapshot.ts';
import { type Snapshot, snapshotSchema } from '../snapshot/snapshot-schema.ts';
import type { ModelService } from '../types.ts';
import { bySimilarity, type Neighbour } from './recall.ts';

/** Entries whose situations are read by the model at most: the most similar ones by their words. */
const maxCompared = 32;

/** A model that is loaded, and the hash of its file. */
export interface EmbeddingModel {
  readonly sha256: string;
  readonly service: Pick<ModelService, 'embed'>;
}

/**
 * Corrects similarities by what a model makes of the situations: the smaller of both counts. A model's cosines lie close together
 * (any two descriptions have most of their form in common), so what a description without content has in common with
 * the one at hand is taken for nothing. Vectors are computed once per text and model, and kept in the store.
 *
 * Throws: model.*, modelHost.died.
 */
export async function compareByModel(
  { snapshot, deps, signal }: Pick<ProviderRequest, 'snapshot' | 'deps' | 'signal'>,
  neighbours: readonly Neighbour[],
  { sha256, service }: EmbeddingModel,
): Promise<Neighbour[]> {
  const { texts, memory } = deps.store;
  const vectorOf = async (text: string): Promise<Float32Array> => {
    const hash = texts.put(text);
    const known = memory.findEmbedding(sha256, hash);
    if (known !== null) return known;
    const { vectors } = await askAgain(() => service.embed({ texts: [text] }, signal));
    const vector = Float32Array.from(vectors[0] ?? []);
    memory.putEmbedding(sha256, hash, vector);
    return vector;
  };
  const compared = neighbours.slice(0, maxCompared);
  if (compared.length === 0) return [];
  const here = await vectorOf(situationText(snapshot));
  const common = dot(here, await vectorOf(situationText(withoutContent(snapshot))));
  const corrected: Neighbour[] = [];
  for (const { entry, similarity } of compared) {
    const there = snapshotSchema.parse(JSON.parse(texts.get(entry.snapshotHash)));
    const cosine = dot(here, await vectorOf(situationText(there)));
    const alike = common >= 1 ? 0 : Math.max(0, (cosine - common) / (1 - common));
    corrected.push({ entry, similarity: Math.min(similarity, alike) });
  }
  return bySimilarity(corrected);
}

/** What a model is given to read of a situation: what is wrong, what is paid, what is declared, how it goes. */
function situationText(snapshot: Snapshot): string {
  const { issues, components, declarations, metrics, objective } = describeSnapshot(snapshot);
  return [
    `Issues: ${issues}`,
    `Rewards: ${components}`,
    `Declared: ${declarations}`,
    `Objective: ${objective}`,
    `Metrics: ${metrics}`,
  ].join('\n');
}

function withoutContent(snapshot: Snapshot): Snapshot {
  return {
    ...snapshot,
    issues: [],
    components: [],
    declarations: [],
    metrics: [],
    objective: { ...snapshot.objective, current: 0, checkpoints: [] },
  };
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
