import { describe, expect, test } from 'vitest';
import { insertProposal, storeWithRun } from '../../support/store-records.ts';

function storeWithProposal() {
  const store = storeWithRun();
  insertProposal(store);
  return store;
}

describe('forget', () => {
  test('stands until it is taken back, however often it is said', () => {
    const { memory } = storeWithProposal();
    memory.forget('p1', 5);
    memory.forget('p1', 6);
    expect(memory.listForgotten()).toEqual(['p1']);
    memory.unforget('p1');
    expect(memory.listForgotten()).toEqual([]);
  });

  test('refuses proposals that are not there, and to take back what was not said', () => {
    const { memory } = storeWithProposal();
    expect(() => memory.forget('p9', 5)).toThrow(expect.objectContaining({ code: 'store.constraint' }));
    expect(() => memory.unforget('p1')).toThrow(expect.objectContaining({ code: 'store.notFound' }));
  });
});

describe('putEmbedding', () => {
  test('keeps the first vector of a text by model, bit for bit', () => {
    const { memory, texts } = storeWithProposal();
    const textHash = texts.put('agents crowd');
    expect(memory.findEmbedding('m1', textHash)).toBeNull();
    // A view into a larger buffer: only its own part is kept.
    const vector = new Float32Array([9, 0.1, -1e-30, 3, 9]).subarray(1, 4);
    memory.putEmbedding('m1', textHash, vector);
    memory.putEmbedding('m1', textHash, new Float32Array(3));
    expect(memory.findEmbedding('m1', textHash)).toEqual(new Float32Array([0.1, -1e-30, 3]));
    expect(memory.findEmbedding('m2', textHash)).toBeNull();
  });
});
