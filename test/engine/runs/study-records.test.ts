import { describe, expect, test } from 'vitest';
import { coachEdition } from '../../../src/engine/coach/edition.ts';
import type { Experiment } from '../../../src/engine/runs/experiment-types.ts';
import { listRunIdentities, readStudyExperiment } from '../../../src/engine/runs/study-records.ts';
import { libraryVersion } from '../../../src/shared/std/library-version.ts';
import { coachConfig } from '../../support/coach-world.ts';
import { thrownBy } from '../../support/error-code.ts';
import { openTestStore, runRecord, studyRecord } from '../../support/store-records.ts';
import { toyEdl, toyText } from '../../support/toy/toy-edl.ts';

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

  test('a run keeps the lag that it began with, whatever arms inherit by now', () => {
    expect(coachOf({ coach: { coolDown: 2, shaping: {}, lag: 1 } })?.lag).toBe(1);
  });

  test('a run that began with them goes on as its experiment says', () => {
    expect(coachOf({ coach: { coolDown: 2, shaping: {} } })).toEqual(coach);
  });
});

describe('the warning of readStudyExperiment', () => {
  /** What is said of a study that this build takes up. */
  function warningOf(changes: object, arm = 'provider: rules'): string | null {
    const written = `name: e
environment: environments/toy.edl
budget: {steps: 1_000_000, rounds: 2}
seeds: [1]
objective: {metric: episode_return, group: agent}
arms: [{name: a, coach: {${arm}}}]
`;
    const store = openTestStore();
    const files = { 'environments/toy.edl': store.texts.put(toyText()) };
    const configuration = {
      library: libraryVersion,
      scenarios: {},
      files,
      arm: null,
      seed: null,
      ...changes,
    };
    store.studies.insert(studyRecord(store, { configuration, experimentHash: store.texts.put(written) }));
    return readStudyExperiment(store, { root: '.', edl: toyEdl }, 's1').warning;
  }

  test('is there where coaches choose by other rules than the study began with', () => {
    expect(warningOf({ coachEdition })).toBeNull();
    expect(warningOf({})).toContain('decisions from here on may differ');
    expect(warningOf({ coachEdition: coachEdition + 1 })).toContain(`this is edition ${coachEdition}`);
    expect(warningOf({ library: '0.0.1', coachEdition })).toContain('was started by version 0.0.1');
  });

  test('is not there where nobody is coached', () => {
    expect(warningOf({}, 'provider: none')).toBeNull();
  });
});

describe('readStudyExperiment', () => {
  const text = `name: e
environment: environments/toy.edl
budget: {steps: 1_000_000, rounds: 2}
seeds: [1]
objective: {metric: episode_return, group: agent}
coach: {model: package.json}
arms: [{name: a, coach: {provider: llama}}]
`;

  /** The model that the arm goes on with. */
  function modelOf(
    inheritance: object,
    written = text,
    root: string | null = '.',
  ): string | null | undefined {
    const store = openTestStore();
    const files = { 'environments/toy.edl': store.texts.put(toyText()) };
    const configuration = { library: '', scenarios: {}, files, arm: null, seed: null, ...inheritance };
    store.studies.insert(studyRecord(store, { configuration, experimentHash: store.texts.put(written) }));
    const { experiment } = readStudyExperiment(store, { root, edl: toyEdl }, 's1');
    return experiment.arms[0]?.coach.model;
  }

  test('arms of a study from before inherit a model whatever their provider, as they began', () => {
    expect(modelOf({})).toBe('package.json');
    expect(() => modelOf({ inheritance: 'byProvider' })).toThrow('"package.json" is for rules');
  });

  test('a lag that a start refuses goes on as it began', () => {
    expect(modelOf({}, text.replace('provider: llama', 'provider: llama, lag: 8'))).toBe('package.json');
  });

  test('goes on by no file that was altered in the database', () => {
    const store = openTestStore();
    const files = { 'environments/toy.edl': store.texts.put(toyText()) };
    const configuration = { library: '', scenarios: {}, files, arm: null, seed: null };
    store.studies.insert(studyRecord(store, { configuration, experimentHash: store.texts.put(text) }));
    const texts = { ...store.texts, get: (hash: string) => `${store.texts.get(hash)}\n` };
    const error = thrownBy(() => readStudyExperiment({ ...store, texts }, { root: '.', edl: toyEdl }, 's1'));
    expect(error.code).toBe('store.corrupt');
    expect(error.message).toContain('experiments/spread.yaml of study s1 was altered');
  });

  test('who asks no model reads it although the model file is gone', () => {
    const asked = text.replaceAll('package.json', 'gone.gguf');
    expect(() => modelOf({}, asked)).toThrow('there is no model file "gone.gguf"');
    expect(modelOf({}, asked, null)).toBe('gone.gguf');
  });
});
