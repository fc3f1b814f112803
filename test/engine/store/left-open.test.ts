import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { databasePath, openStore, type StoreReader } from '../../../src/engine/store/index.ts';
import { openTestStore, runRecord, storeWithRun, studyRecord } from '../../support/store-records.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function read(root: string): StoreReader {
  const reader = openStore(root, { readOnly: true });
  onTestFinished(() => reader.close());
  return reader;
}

/** What an engine leaves that ends without a word: its runs open, and its lease. */
function leave(root: string): void {
  const store = openTestStore(root);
  store.studies.insert(studyRecord(store));
  store.studies.insert(studyRecord(store, { studyId: 's2', state: 'finished', finishedAt: 5 }));
  store.runs.insert(runRecord({ state: 'running', stepsPerSecond: 100 }));
  store.runs.insert(runRecord({ runId: 'r2', seed: 2, state: 'queued' }));
  store.runs.insert(runRecord({ runId: 'r3', seed: 3, state: 'paused' }));
  store.runs.insert(runRecord({ runId: 'r4', seed: 4, state: 'finished' }));
  store.close();
}

function statesIn({ runs, studies }: Pick<StoreReader, 'runs' | 'studies'>) {
  return {
    listed: runs.listByStudy('s1').map(({ state }) => state),
    got: runs.get('r1').state,
    found: runs.find('r2')?.state,
    studies: studies.list().map(({ studyId, state }) => `${studyId} ${state}`),
    study: [studies.get('s1').state, studies.find('s1')?.state],
  };
}

describe('what is open on record', () => {
  test('reads as interrupted where no engine lives, and nothing is written', () => {
    const root = temporaryFolder();
    leave(root);
    const reader = read(root);
    expect(statesIn(reader)).toEqual({
      listed: ['interrupted', 'interrupted', 'interrupted', 'finished'],
      got: 'interrupted',
      found: 'interrupted',
      studies: expect.arrayContaining(['s1 interrupted', 's2 finished']),
      study: ['interrupted', 'interrupted'],
    });
    expect(reader.runs.get('r1').stepsPerSecond).toBeNull();
    expect(reader.studies.get('s2').finishedAt).toBe(5);
    expect(reader.runs.listByState(['running', 'queued'])).toEqual([]);
    expect(reader.runs.listByState(['interrupted']).map(({ runId }) => runId)).toEqual(['r1', 'r2', 'r3']);
    expect([reader.runs.find('none'), reader.studies.find('none')]).toEqual([null, null]);
    const db = new Database(databasePath(root), { readonly: true });
    onTestFinished(() => void db.close());
    expect(db.prepare("SELECT state FROM runs WHERE run_id = 'r1'").get()).toEqual({ state: 'running' });
  });

  test('reads so too where the lease of a killed engine is left', () => {
    const root = temporaryFolder();
    leave(root);
    const db = new Database(databasePath(root));
    db.exec(`INSERT INTO leases (name, token, pid, started, machine, endpoint, acquired_at, heartbeat_at)
      VALUES ('engine', 't', 1, 'long ago', 'elsewhere', NULL, 0, 0)`);
    db.close();
    expect(statesIn(read(root)).got).toBe('interrupted');
  });

  test('reads as it is while an engine lives', () => {
    const root = temporaryFolder();
    storeWithRun(root);
    const reader = read(root);
    expect([reader.studies.get('s1').state, reader.runs.get('r1').state]).toEqual(['running', 'running']);
  });
});
