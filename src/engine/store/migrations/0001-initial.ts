import type { Migration } from './migration.ts';

/** Times are ms since epoch; columns named configuration, loop, report, details and the like hold JSON. */
const schema = `
CREATE TABLE texts (
  hash TEXT PRIMARY KEY,
  text TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE leases (
  name TEXT PRIMARY KEY,
  token TEXT NOT NULL,
  pid INTEGER NOT NULL,
  started TEXT NOT NULL,
  machine TEXT NOT NULL,
  endpoint TEXT,
  acquired_at INTEGER NOT NULL,
  heartbeat_at INTEGER NOT NULL
) STRICT;

CREATE TABLE studies (
  study_id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  experiment_path TEXT NOT NULL,
  experiment_hash TEXT NOT NULL REFERENCES texts (hash),
  configuration TEXT NOT NULL,
  objective TEXT NOT NULL,
  state TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  finished_at INTEGER
) STRICT;

CREATE TABLE runs (
  run_id TEXT PRIMARY KEY,
  study_id TEXT NOT NULL REFERENCES studies (study_id) ON DELETE CASCADE,
  parent_run_id TEXT REFERENCES runs (run_id),
  arm TEXT NOT NULL,
  seed INTEGER NOT NULL,
  configuration TEXT NOT NULL,
  total_steps INTEGER NOT NULL,
  num_rounds INTEGER NOT NULL,
  state TEXT NOT NULL,
  own_steps INTEGER NOT NULL,
  charged_steps INTEGER NOT NULL,
  round INTEGER NOT NULL,
  steps_per_second REAL,
  objective REAL,
  best_objective REAL,
  parameter_hash TEXT,
  error TEXT,
  loop TEXT,
  next_sequence INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX runs_by_study ON runs (study_id);
CREATE UNIQUE INDEX runs_by_arm_and_seed ON runs (study_id, arm, seed) WHERE parent_run_id IS NULL;

CREATE TABLE rounds (
  run_id TEXT NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
  round INTEGER NOT NULL,
  environment_hash TEXT NOT NULL REFERENCES texts (hash),
  environment_identity TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  own_steps INTEGER,
  charged_steps INTEGER,
  objective REAL,
  parameter_hash TEXT,
  checkpoint_file TEXT,
  record_file TEXT,
  report TEXT,
  finished_at INTEGER,
  PRIMARY KEY (run_id, round)
) STRICT;

CREATE TABLE checkpoints (
  run_id TEXT NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
  file TEXT NOT NULL,
  own_steps INTEGER NOT NULL,
  charged_steps INTEGER NOT NULL,
  round INTEGER NOT NULL,
  is_round_end INTEGER NOT NULL,
  parameter_hash TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (run_id, file)
) STRICT;

CREATE TABLE metric_series (
  series_id INTEGER PRIMARY KEY,
  run_id TEXT NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  UNIQUE (run_id, key)
) STRICT;

CREATE TABLE metric_chunks (
  series_id INTEGER NOT NULL REFERENCES metric_series (series_id) ON DELETE CASCADE,
  first_sequence INTEGER NOT NULL,
  num_points INTEGER NOT NULL,
  first_step REAL NOT NULL,
  last_step REAL NOT NULL,
  low REAL,
  high REAL,
  total REAL NOT NULL,
  num_finite INTEGER NOT NULL,
  points BLOB NOT NULL,
  PRIMARY KEY (series_id, first_sequence)
) STRICT;

CREATE TABLE snapshots (
  snapshot_id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
  round INTEGER NOT NULL,
  text_hash TEXT NOT NULL REFERENCES texts (hash),
  created_at INTEGER NOT NULL,
  UNIQUE (run_id, round)
) STRICT;

CREATE TABLE proposals (
  proposal_id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
  round INTEGER NOT NULL,
  candidate INTEGER NOT NULL,
  snapshot_id TEXT NOT NULL REFERENCES snapshots (snapshot_id),
  provider TEXT NOT NULL,
  model TEXT,
  prompt_hash TEXT REFERENCES texts (hash),
  before_hash TEXT NOT NULL REFERENCES texts (hash),
  state TEXT NOT NULL,
  answer_hash TEXT REFERENCES texts (hash),
  is_composed INTEGER NOT NULL,
  analysis TEXT,
  wishes TEXT,
  details TEXT NOT NULL,
  after_hash TEXT REFERENCES texts (hash),
  created_at INTEGER NOT NULL,
  UNIQUE (run_id, round, candidate)
) STRICT;

CREATE TABLE changes (
  proposal_id TEXT NOT NULL REFERENCES proposals (proposal_id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  op TEXT NOT NULL,
  target TEXT NOT NULL,
  edl TEXT NOT NULL,
  description TEXT NOT NULL,
  implementation_hint TEXT NOT NULL,
  expected_impact TEXT NOT NULL,
  PRIMARY KEY (proposal_id, position)
) STRICT;

CREATE TABLE validations (
  proposal_id TEXT PRIMARY KEY REFERENCES proposals (proposal_id) ON DELETE CASCADE,
  is_valid INTEGER NOT NULL,
  reasons TEXT NOT NULL,
  validated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE trials (
  proposal_id TEXT PRIMARY KEY REFERENCES proposals (proposal_id) ON DELETE CASCADE,
  summary TEXT
) STRICT;

CREATE TABLE trial_pairs (
  proposal_id TEXT NOT NULL REFERENCES trials (proposal_id) ON DELETE CASCADE,
  seed TEXT NOT NULL,
  candidate REAL NOT NULL,
  control REAL NOT NULL,
  charged_steps INTEGER NOT NULL,
  evaluation_steps INTEGER NOT NULL,
  PRIMARY KEY (proposal_id, seed)
) STRICT;

CREATE TABLE decisions (
  proposal_id TEXT PRIMARY KEY REFERENCES proposals (proposal_id) ON DELETE CASCADE,
  verdict TEXT NOT NULL,
  author TEXT NOT NULL,
  note TEXT NOT NULL,
  text_hash TEXT REFERENCES texts (hash),
  decided_at INTEGER NOT NULL,
  applied_round INTEGER
) STRICT;

CREATE TABLE model_calls (
  model_call_id TEXT PRIMARY KEY,
  run_id TEXT REFERENCES runs (run_id) ON DELETE CASCADE,
  proposal_id TEXT REFERENCES proposals (proposal_id) ON DELETE CASCADE,
  request_key TEXT NOT NULL,
  model TEXT NOT NULL,
  model_hash TEXT NOT NULL,
  mode TEXT NOT NULL,
  prompt_hash TEXT NOT NULL REFERENCES texts (hash),
  output_hash TEXT NOT NULL REFERENCES texts (hash),
  options TEXT NOT NULL,
  details TEXT NOT NULL,
  prompt_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  duration_ms REAL NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX model_calls_by_key ON model_calls (run_id, request_key);
CREATE INDEX model_calls_by_proposal ON model_calls (proposal_id);

CREATE TABLE policies (
  policy_id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
  round INTEGER NOT NULL,
  agent_group TEXT NOT NULL,
  file TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  parameter_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (run_id, round, agent_group)
) STRICT;

CREATE TABLE notes (
  note_id TEXT PRIMARY KEY,
  subject_kind TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  text TEXT NOT NULL,
  tags TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX notes_by_subject ON notes (subject_kind, subject_id);
`;

/** Never edited after release: what a workspace of version 1 holds. */
export const initial: Migration = {
  version: 1,
  slug: 'initial',
  up: (db) => void db.exec(schema),
};
