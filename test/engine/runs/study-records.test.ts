import { describe, expect, test } from 'vitest';
import type { Experiment } from '../../../src/engine/runs/experiment-types.ts';
import { listRunIdentities } from '../../../src/engine/runs/study-records.ts';
import { coachConfig } from '../../support/coach-world.ts';
import { openTestStore, runRecord, studyRecord } from '../../support/store-records.ts';

const coach = { ...coachConfig, coolDown: 2 };
const experiment = { seeds: [1], arms: [{ name: 'coached', coach }] } as unknown as Experiment;

/** The coach that a run with a configuration on record goes on with. */
function coachOf(configuration: unknown): typeof coach | undefined {
  const store = openTestStore();
  store.studies.insert(studyRecord(store));
  store.runs.insert(runRecord({ configuration }));
  return listRunIdentities(store, experiment, 's1')[0]?.arm.coach;
}

describe('listRunIdentities', () => {
  test('a run that began before edits rested goes on without rests', () => {
    expect(coachOf({ coach: { provider: 'rules' } })?.coolDown).toBe(0);
    expect(coachOf({})?.coolDown).toBe(0);
  });

  test('a run that began with the first catalogue of edits goes on with it', () => {
    expect(coachOf({ coach: { coolDown: 2, shaping: {} } })?.catalogue).toBe(1);
  });

  test('a run that began with them goes on as its experiment says', () => {
    expect(coachOf({ coach: { coolDown: 2, shaping: {}, catalogue: 2 } })).toEqual(coach);
  });
});
