import { AppError } from '../../shared/std/app-error.ts';
import { sha256 } from '../files/index.ts';
import type { StoreReader } from '../store/index.ts';
import type { ArmSpec, Experiment } from './experiment-types.ts';
import { type StudySelection, selectArms } from './study-records.ts';

/** An arm of a study on record. */
interface Source {
  readonly study: string;
  readonly arm: string;
}

/** What an arm that repeats another one needs of it. */
interface Wanted {
  /** Of the text that training begins with. */
  readonly textHash: string;
  readonly seeds: readonly number[];
  /** How its messages begin. */
  readonly where: string;
}

const naming = '"replay: {study: ID, arm: NAME}"';

/**
 * An experiment whose selected arms with `provider: replay` say in full whose answers they repeat: the study and arm that the file
 * names, else the only one on record that was answered in the arm's environment with its seeds.
 *
 * Throws: experiment.invalid where that is not there, was never answered there, or several are meant.
 */
export function nameReplayed(
  store: StoreReader,
  experiment: Experiment,
  selection: StudySelection,
): Experiment {
  const selected = new Set(selectArms(experiment, selection));
  const seeds = selection.seed === null ? experiment.seeds : [selection.seed];
  const arms = experiment.arms.map((arm): ArmSpec => {
    const { coach, environment } = arm;
    if (coach.provider !== 'replay' || !selected.has(arm)) return arm;
    const where = `arm "${arm.name}" of ${experiment.path}`;
    const wanted = { textHash: sha256(environment.text), seeds, where };
    const { replay } = coach;
    const source =
      replay === undefined
        ? onlySource(store, wanted)
        : namedSource(store, { study: replay.study, arm: replay.arm, wanted });
    return { ...arm, coach: { ...coach, replay: source } };
  });
  return { ...experiment, arms };
}

function onlySource(store: StoreReader, wanted: Wanted): Source {
  // Who repeats a study has nothing of its own to be repeated.
  const found = store.studies
    .list()
    .flatMap(({ studyId }) => answeredIn(store, studyId, wanted, ({ provider }) => provider !== 'replay'))
    .filter((source) => missingSeeds(store, source, wanted).length === 0);
  const [only] = found;
  if (only === undefined) {
    const message =
      'has nothing to repeat: no study of this workspace was answered in its environment and has runs with all its seeds. Run it ' +
      `once with the coach to be repeated, or name a study with ${naming}`;
    throw refused(wanted, message);
  }
  if (found.length > 1) throw refused(wanted, `could repeat ${listed(found)}: name one with ${naming}`);
  return only;
}

function namedSource(
  store: StoreReader,
  {
    study: given,
    arm,
    wanted,
  }: { readonly study: string; readonly arm: string | null; readonly wanted: Wanted },
): Source {
  const study = findStudy(store, given, wanted);
  const arms = [...new Set(store.runs.listByStudy(study).map((run) => run.arm))];
  if (arm !== null && !arms.includes(arm))
    throw refused(
      wanted,
      `names arm "${arm}" of study ${study}, which has none of that name: its arms are ${arms.join(', ')}`,
    );
  const found = answeredIn(store, study, wanted, () => true).filter(
    (source) => arm === null || source.arm === arm,
  );
  const [only] = found;
  if (only === undefined) {
    const what = arm === null ? `study ${study}` : `arm "${arm}" of study ${study}`;
    const message = `cannot repeat ${what}: no coach was answered there in the environment that this arm begins with, at a seed of this experiment`;
    throw refused(wanted, message);
  }
  if (found.length > 1) throw refused(wanted, `could repeat ${listed(found)}: name one with ${naming}`);
  const missing = missingSeeds(store, only, wanted);
  if (missing.length > 0)
    throw refused(
      wanted,
      `cannot repeat ${listed([only])}: it has no run with seed ${missing.join(', ')}; leave that out of "seeds"`,
    );
  return only;
}

/** Ids may be cut short as long as one is meant. */
function findStudy(store: StoreReader, given: string, wanted: Wanted): string {
  const ids = store.studies.list().map(({ studyId }) => studyId);
  const found = ids.includes(given) ? [given] : ids.filter((id) => id.startsWith(given));
  const [only] = found;
  if (only === undefined)
    throw refused(
      wanted,
      `is to repeat study "${given}", which is not in this workspace; \`gymwright runs list\` shows what there is`,
    );
  if (found.length === 1) return only;
  throw refused(
    wanted,
    `is to repeat study "${given}", which could be ${found.slice(0, 4).join(' or ')}: give more of the id`,
  );
}

/** Arms of a study that were answered in the wanted environment at one of the wanted seeds. */
function answeredIn(
  store: StoreReader,
  study: string,
  { textHash, seeds }: Wanted,
  counts: (proposal: { readonly provider: string }) => boolean,
): Source[] {
  const answered = new Set(
    store.proposals
      .list({ studyId: study })
      .filter(({ answerHash, beforeHash }) => answerHash !== null && beforeHash === textHash)
      .filter(counts)
      .map(({ runId }) => runId),
  );
  const arms = store.runs
    .listByStudy(study)
    .filter(({ runId, seed }) => answered.has(runId) && seeds.includes(seed))
    .map(({ arm }) => arm);
  return [...new Set(arms)].map((arm) => ({ study, arm }));
}

/** A coach that never had a reason to ask at a seed has none when it is repeated; without a run nothing is known. */
function missingSeeds(store: StoreReader, { study, arm }: Source, { seeds }: Wanted): number[] {
  const known = store.runs.listByStudy(study).filter((run) => run.arm === arm);
  return seeds.filter((seed) => !known.some((run) => run.seed === seed));
}

const listed = (sources: readonly Source[]): string =>
  sources.map(({ study, arm }) => `${study} (arm ${arm})`).join(' or ');

function refused({ where }: Wanted, message: string): AppError {
  return new AppError('experiment.invalid', `${where} ${message}.`);
}
