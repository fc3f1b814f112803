import { describe, expect, test } from 'vitest';
import { noExperience } from '../../../src/engine/coach/memory/experience.ts';
import { freezeExperience } from '../../../src/engine/coach/memory/frozen-experience.ts';
import type { ArmSpec } from '../../../src/engine/runs/experiment-types.ts';
import { readExperience, rememberFor } from '../../../src/engine/runs/study-experience.ts';
import { coachConfig, compiled } from '../../support/coach-world.ts';
import { openTestStore, studyRecord } from '../../support/store-records.ts';

const memory = { examples: 3, reuse: 0.9, vectors: 'lexical' } as const;

function armWith(remembers: boolean): ArmSpec {
  return {
    name: 'coached',
    coach: { ...coachConfig, memory: remembers ? memory : null },
    environment: { path: null, text: '', compiled: compiled() },
  } as unknown as ArmSpec;
}

describe('rememberFor', () => {
  test('freezes what is known where an arm remembers, and nothing where none does', () => {
    const store = openTestStore();
    const { name, version } = compiled().manifest;
    expect(rememberFor(store, [armWith(false)])).toBeNull();
    expect(rememberFor(store, [armWith(false), armWith(true)])).toBe(
      freezeExperience(store, new Map([[name, version]])),
    );
  });
});

describe('readExperience', () => {
  test('is the frozen text for arms that remember, and nothing for others or for studies from before', () => {
    const store = openTestStore();
    const experience = rememberFor(store, [armWith(true)]);
    store.studies.insert(studyRecord(store, { configuration: { experience } }));
    store.studies.insert(studyRecord(store, { studyId: 'old' }));
    const read = (studyId: string, remembers: boolean) =>
      readExperience(store, { studyId, arm: armWith(remembers) });
    expect(read('s1', true)).toEqual({ hash: experience, entries: [] });
    expect(read('s1', false)).toBe(noExperience);
    expect(read('old', true)).toBe(noExperience);
  });
});
