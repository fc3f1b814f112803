/**
 * Kills a small study again and again and compares what it ends with to an undisturbed one.
 *
 *   node tools/kill-study.ts [--study coaches|learners] [--kills 25] [--seed 1] [--victim 'model host'] [--keep]
 *
 * The study runs in the real command line, with the real simulator, learner and model host (a tiny random model of
 * the llama architecture). In turn the engine, a trainer or the model host gets SIGKILL at a random moment (in parentheses if
 * none was there any more); the study is resumed until it is done. Every series, parameter hash, environment and trial
 * score has to be bit for bit that of the undisturbed study. Prints a table, exits 1 on any difference.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { openStore, type StoreReader } from '../src/engine/store/index.ts';
import { CounterRng } from '../src/shared/std/rng.ts';
import { childProcesses } from '../test/support/child-processes.ts';
import { writeTinyGguf } from '../test/support/tiny-gguf.ts';

const root = join(import.meta.dirname, '..');
const command = join(root, 'src/main/cli/index.ts');
const trainerPath = 'workers/trainer';
const hostPath = 'workers/model-host';

const coaches = `name: kills
environment: environments/spread.edl
objective: {metric: episode_return, group: agent, environment: environments/spread-eval.edl}
budget: {steps: 76_800, rounds: 4}
seeds: [1]
learner: {numEnvs: 32, minibatchSize: 480}
evaluate: {every: 10_000, episodes: 64}
coach:
  provider: rules
  trigger: {interval: 1}
  candidates: 2
  whatif: {share: 40%, seeds: 1, retest: 2, episodes: 256}
arms:
  - {name: fixed, coach: none}
  - {name: random, coach: {provider: random}}
  - {name: coached}
  - {name: model, coach: {provider: llama, model: models/tiny.gguf, lag: 1}}
`;

/** A replay that is full long before the end, and networks that remember. */
const learners = `name: kills
environment: environments/spread.edl
objective: {metric: episode_return, group: agent, environment: environments/spread-eval.edl}
budget: {steps: 24_000, rounds: 4}
seeds: [1]
learner: {numEnvs: 8, numSteps: 15, hidden: 16}
evaluate: {every: 4_000, episodes: 16}
coach:
  provider: random
  trigger: {interval: 1}
  candidates: 2
  whatif: {share: 40%, seeds: 1, retest: 1, episodes: 16}
arms:
  - {name: values, learner: {algorithm: qmix, batchEpisodes: 8, learningStarts: 8, bufferEpisodes: 100, mixingEmbed: 8, hypernetEmbed: 8}}
  - {name: memory, learner: {algorithm: mappo, recurrent: true, chunkLength: 5, minibatchSize: 120, clipVloss: true}}
`;

const studies: Readonly<Record<string, string>> = { coaches, learners };

type Victim = 'engine' | 'trainer' | 'model host';
const victims: readonly Victim[] = ['engine', 'trainer', 'model host'];

interface Engine {
  readonly process: ChildProcess;
  readonly ended: Promise<number | null>;
  /** Lines it has printed: how far the study is, whatever else the machine does. */
  numLines: number;
}

function createWorkspace(parent: string, name: string, experiment: string): string {
  const workspace = join(parent, name);
  mkdirSync(join(workspace, 'experiments'), { recursive: true });
  mkdirSync(join(workspace, 'models'));
  cpSync(join(root, 'resources/environments'), join(workspace, 'environments'), { recursive: true });
  writeFileSync(join(workspace, 'experiments/kills.yaml'), experiment);
  // Byte tokens: a prompt takes as many as it has letters.
  writeTinyGguf(join(workspace, 'models/tiny.gguf'), { contextLength: 32_768 });
  return workspace;
}

/** The study of a workspace, from its first line on; null before it is on record. */
function findStudy(workspace: string): string | null {
  const store = openStore(workspace, { readOnly: true });
  try {
    return store.studies.list()[0]?.studyId ?? null;
  } finally {
    store.close();
  }
}

function startEngine(workspace: string): Engine {
  const study = findStudy(workspace);
  const resume = study === null ? [] : ['--resume', study];
  const args = [command, 'run', 'experiments/kills.yaml', '--workspace', workspace, '--json', ...resume];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-2000);
  });
  const ended = once(child, 'exit').then(([code]) => {
    if (code !== 0 && code !== null) process.stderr.write(`${stderr}\n`);
    return code as number | null;
  });
  const engine: Engine = { process: child, ended, numLines: 0 };
  createInterface({ input: child.stdout }).on('line', () => {
    engine.numLines++;
  });
  return engine;
}

/** Runs a study to its end and gives the number of lines it printed. */
async function runToEnd(workspace: string): Promise<number> {
  const engine = startEngine(workspace);
  const code = await engine.ended;
  if (code !== 0) throw new Error(`the command line ended with ${code} in ${workspace}`);
  return engine.numLines;
}

/** All that must be equal, by arm and seed. */
function figuresOf(workspace: string): Map<string, string> {
  const store = openStore(workspace, { readOnly: true });
  try {
    const studyId = store.studies.list()[0]?.studyId ?? '';
    return new Map(
      store.runs.listByStudy(studyId).map((run) => [`${run.arm} ${run.seed}`, runFigures(store, run.runId)]),
    );
  } finally {
    store.close();
  }
}

function runFigures(store: StoreReader, runId: string): string {
  const { state, ownSteps, chargedSteps, objective, bestObjective, parameterHash } = store.runs.get(runId);
  const rounds = store.rounds
    .listByRun(runId)
    .map(({ environmentIdentity, outcome }) => [
      environmentIdentity,
      outcome?.ownSteps,
      outcome?.chargedSteps,
      outcome?.objective,
      outcome?.parameterHash,
    ]);
  const series = store.series.keys([runId]).map((key) => [key, [...store.series.points(runId, key)]]);
  const proposals = store.proposals
    .list({ runId })
    .map((proposal) => [
      proposal.round,
      proposal.candidate,
      proposal.state,
      proposal.body,
      proposal.afterHash,
      store.trials.find(proposal.proposalId)?.pairs ?? null,
      store.decisions.find(proposal.proposalId)?.verdict ?? null,
    ])
    .toSorted((a, b) => Number(a[0]) - Number(b[0]) || Number(a[1]) - Number(b[1]));
  const figures = {
    state,
    ownSteps,
    chargedSteps,
    objective,
    bestObjective,
    parameterHash,
    rounds,
    series,
    proposals,
  };
  return JSON.stringify(figures);
}

/** Kills one process; false when none of the kind is there at the moment. */
function kill(victim: Victim, engine: Engine, rng: CounterRng): boolean {
  const pid = engine.process.pid ?? 0;
  if (victim === 'engine') return engine.process.kill('SIGKILL');
  const candidates = childProcesses(pid, victim === 'trainer' ? trainerPath : hostPath);
  const chosen = candidates[rng.nextBelow(Math.max(1, candidates.length))];
  if (chosen === undefined) return false;
  process.kill(chosen, 'SIGKILL');
  return true;
}

function wait(ms: number): Promise<'time'> {
  return new Promise((resolve) => setTimeout(resolve, ms, 'time'));
}

/** Tries every few ms until `attempt` succeeds or the engine has ended. */
async function keepTrying(engine: Engine, attempt: () => boolean): Promise<boolean> {
  for (;;) {
    if (attempt()) return true;
    if ((await Promise.race([wait(5), engine.ended])) !== 'time') return false;
  }
}

interface KilledRun {
  /** Share of the study that was done, by lines. */
  readonly moment: number;
  readonly isKilled: boolean;
  readonly resumes: number;
}

/** Runs a study in which one process is killed, and resumes it where that ended the engine. */
async function runKilled(
  workspace: string,
  victim: Victim,
  wholeLines: number,
  rng: CounterRng,
): Promise<KilledRun> {
  const engine = startEngine(workspace);
  if (victim === 'model host') {
    // It works in bursts, the first one when it is started: a moment within three seconds of that.
    await keepTrying(engine, () => childProcesses(engine.process.pid ?? 0, hostPath).length > 0);
  } else {
    const line = Math.floor(wholeLines * rng.nextFloat());
    await keepTrying(engine, () => engine.numLines >= line);
  }
  await Promise.race([wait(rng.nextBelow(victim === 'model host' ? 3000 : 300)), engine.ended]);
  const isKilled = await keepTrying(engine, () => kill(victim, engine, rng));
  const moment = Math.min(1, engine.numLines / wholeLines);
  let code = await engine.ended;
  let resumes = 0;
  for (; code !== 0 && resumes < 5; resumes++) code = await startEngine(workspace).ended;
  if (code !== 0) throw new Error(`the study in ${workspace} did not end after ${resumes} resumes`);
  return { moment, isKilled, resumes };
}

function digest(figures: Map<string, string>): string {
  return createHash('sha256')
    .update(JSON.stringify([...figures]))
    .digest('hex')
    .slice(0, 12);
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string' },
      seed: { type: 'string' },
      keep: { type: 'boolean' },
      victim: { type: 'string' },
      study: { type: 'string' },
    },
  });
  const numKills = Number(values.kills ?? 25);
  const chosen = values.victim === undefined ? victims : victims.filter((each) => each === values.victim);
  const experiment = studies[values.study ?? 'coaches'];
  if (experiment === undefined) throw new RangeError(`--study is one of ${Object.keys(studies).join(', ')}`);
  const rng = new CounterRng(BigInt(values.seed ?? 1), 0);
  const parent = mkdtempSync(join(tmpdir(), 'gymwright-kills-'));
  const whole = createWorkspace(parent, 'whole', experiment);
  const startedAt = performance.now();
  const wholeLines = await runToEnd(whole);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const expected = figuresOf(whole);
  console.log(`undisturbed: ${seconds} s, ${expected.size} runs, figures ${digest(expected)}`);
  console.log('kill  victim      at     resumed  figures       equal');
  let differences = 0;
  for (let index = 0; index < numKills; index++) {
    const victim = chosen[index % chosen.length] as Victim;
    const workspace = createWorkspace(parent, `kill-${index}`, experiment);
    const { moment, isKilled, resumes } = await runKilled(workspace, victim, wholeLines, rng);
    const figures = figuresOf(workspace);
    const unequal = [...expected].filter(([run, figure]) => figures.get(run) !== figure).map(([run]) => run);
    if (unequal.length > 0) differences++;
    const shown = isKilled ? victim : `(${victim})`;
    const verdict = unequal.length === 0 ? 'yes' : `NO: ${unequal.join(', ')}`;
    const columns = [
      String(index + 1).padStart(4),
      shown.padEnd(10),
      `${Math.round(moment * 100)} %`.padStart(5),
      String(resumes).padStart(9),
      digest(figures),
      verdict,
    ];
    console.log(columns.join('  '));
    if (unequal.length === 0 && values.keep !== true) rmSync(workspace, { recursive: true });
  }
  console.log(`${numKills - differences} of ${numKills} ended with the figures of the undisturbed study`);
  if (differences === 0 && values.keep !== true) rmSync(parent, { recursive: true });
  else console.log(`workspaces kept in ${parent}`);
  return differences === 0 ? 0 : 1;
}

process.exitCode = await main();
