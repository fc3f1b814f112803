import type { Connection } from './connection.ts';
import { requireChanged } from './not-found.ts';

/** What coaches may not remember, and vectors of texts. What they remember is made of proposals, trials and decisions. */
export interface MemoryReader {
  /** Proposals that a person told to forget, the latest first. */
  listForgotten(): string[];
  /** The vector that a model gave a text; null: not asked yet. */
  findEmbedding(modelHash: string, textHash: string): Float32Array | null;
}

export interface MemoryWriter extends MemoryReader {
  /** Studies that begin from now on do not learn of the proposal; the same again is a no-op. Throws: store.constraint for an unknown one. */
  forget(proposalId: string, forgottenAt: number): void;
  /** Takes `forget` back. Throws: store.notFound where nothing was forgotten. */
  unforget(proposalId: string): void;
  /** The first vector of a text stays: an answer is not given twice in different ways. */
  putEmbedding(modelHash: string, textHash: string, vector: Float32Array): void;
}

export function createMemory(db: Connection): MemoryWriter {
  const forgotten = db.prepare<{ proposal_id: string }>(
    'SELECT proposal_id FROM forgotten ORDER BY forgotten_at DESC, proposal_id',
  );
  const insert = db.prepare(
    'INSERT INTO forgotten (proposal_id, forgotten_at) VALUES (@proposalId, @forgottenAt) ON CONFLICT DO NOTHING',
  );
  const remove = db.prepare('DELETE FROM forgotten WHERE proposal_id = @proposalId');
  const select = db.prepare<{ vector: Uint8Array }>(
    'SELECT vector FROM embeddings WHERE model_hash = @modelHash AND text_hash = @textHash',
  );
  const put = db.prepare(
    'INSERT INTO embeddings (model_hash, text_hash, vector) VALUES (@modelHash, @textHash, @vector) ON CONFLICT DO NOTHING',
  );
  return {
    listForgotten: () => forgotten.all({}).map(({ proposal_id }) => proposal_id),
    findEmbedding(modelHash, textHash) {
      const row = select.get({ modelHash, textHash });
      // A copy: the driver's bytes need not begin where floats may.
      return row === undefined ? null : new Float32Array(Uint8Array.from(row.vector).buffer);
    },
    forget: (proposalId, forgottenAt) => void db.write(() => insert.run({ proposalId, forgottenAt })),
    unforget: (proposalId) =>
      db.write(() => requireChanged(remove.run({ proposalId }), 'forgotten proposal', proposalId)),
    putEmbedding(modelHash, textHash, vector) {
      const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
      db.write(() => put.run({ modelHash, textHash, vector: bytes }));
    },
  };
}
