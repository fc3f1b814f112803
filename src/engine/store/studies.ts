import type { RunState } from '../../shared/contract/runs.ts';
import type { Connection } from './connection.ts';
import { requireChanged, required } from './not-found.ts';

/** One execution of an experiment file. */
export interface StudyRecord {
  readonly studyId: string;
  readonly name: string;
  /** As typed when it was started, relative to the workspace where it lies inside. */
  readonly experimentPath: string;
  /** Hash of the experiment's text in `texts`. */
  readonly experimentHash: string;
  /** The resolved experiment (defaults filled in), as JSON data; what resume goes by. */
  readonly configuration: unknown;
  readonly objective: {
    readonly metric: string;
    readonly group: string;
    readonly better: 'higher' | 'lower';
  };
  readonly state: RunState;
  readonly createdAt: number;
  readonly finishedAt: number | null;
}

export interface StudiesReader {
  find(studyId: string): StudyRecord | null;
  /** Throws store.notFound. */
  get(studyId: string): StudyRecord;
  /** Newest first. */
  list(): StudyRecord[];
}

export interface StudiesWriter extends StudiesReader {
  insert(study: StudyRecord): void;
  setState(studyId: string, state: RunState, finishedAt: number | null): void;
}

interface StudyRow {
  study_id: string;
  name: string;
  experiment_path: string;
  experiment_hash: string;
  configuration: string;
  objective: string;
  state: RunState;
  created_at: number;
  finished_at: number | null;
}

function fromRow(row: StudyRow): StudyRecord {
  return {
    studyId: row.study_id,
    name: row.name,
    experimentPath: row.experiment_path,
    experimentHash: row.experiment_hash,
    configuration: JSON.parse(row.configuration),
    objective: JSON.parse(row.objective),
    state: row.state,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  };
}

export function createStudies(db: Connection): StudiesWriter {
  const insert = db.prepare(`
    INSERT INTO studies
      (study_id, name, experiment_path, experiment_hash, configuration, objective, state, created_at, finished_at)
    VALUES (@studyId, @name, @experimentPath, @experimentHash, @configuration, @objective, @state, @createdAt, @finishedAt)`);
  const setState = db.prepare(
    'UPDATE studies SET state = @state, finished_at = @finishedAt WHERE study_id = @studyId',
  );
  const select = db.prepare<StudyRow>('SELECT * FROM studies WHERE study_id = @studyId');
  const selectAll = db.prepare<StudyRow>('SELECT * FROM studies ORDER BY created_at DESC, study_id DESC');
  const find = (studyId: string): StudyRecord | null => {
    const row = select.get({ studyId });
    return row === undefined ? null : fromRow(row);
  };
  return {
    find,
    get: (studyId) => required(find(studyId), 'study', studyId),
    list: () => selectAll.all({}).map(fromRow),
    insert(study) {
      const json = {
        configuration: JSON.stringify(study.configuration),
        objective: JSON.stringify(study.objective),
      };
      db.write(() => insert.run({ ...study, ...json }));
    },
    setState(studyId, state, finishedAt) {
      db.write(() => requireChanged(setState.run({ studyId, state, finishedAt }), 'study', studyId));
    },
  };
}
