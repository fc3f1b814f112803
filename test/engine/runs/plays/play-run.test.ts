import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyChanges, compile, flatten } from '../../../../src/engine/edl/index.ts';
import { evaluatePolicies, openPolicy } from '../../../../src/engine/policy/index.ts';
import { listPlayable, type PlaySources, playRun } from '../../../../src/engine/runs/index.ts';
import { readStudyExperiment } from '../../../../src/engine/runs/study-records.ts';
import { createVecEnv, plainSpec, scenarioNames } from '../../../../src/engine/sim/index.ts';
import type { RunRecord, Store } from '../../../../src/engine/store/index.ts';
import { streamSeed } from '../../../../src/engine/train/seeds.ts';
import { policies } from '../../../../src/shared/contract/policies.ts';
import { unpackFrames } from '../../../../src/shared/rl/packed-frames.ts';
import { rejectedBy } from '../../../support/error-code.ts';
import { simHost } from '../../../support/sim-host.ts';
import { openTestStore, runRecord } from '../../../support/store-records.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { foraging, opposed, trainTiny } from '../../../support/trained-workspace.ts';
import { transports } from '../../../support/transports.ts';

const host = simHost();
const edl: PlaySources['edl'] = {
  compile: (text) => compile(text, host),
  applyChanges: (text, changes) => applyChanges(text, changes, host, { author: 'coach' }),
  flatten: (text, path, readText) => flatten(text, { ...host, text: readText }, path),
  scenarios: scenarioNames,
};

let trained = '';
let runId = '';

beforeAll(async () => {
  trained = mkdtempSync(join(tmpdir(), 'gymwright-trained-'));
  runId = await trainTiny(trained);
}, 120_000);
afterAll(() => rmSync(trained, { recursive: true, force: true }));

/** A copy of the trained workspace that a test may change. */
function open(): {
  sources: PlaySources & { readonly store: Store };
  play: (args?: object) => ReturnType<typeof playRun>;
} {
  const root = temporaryFolder();
  cpSync(trained, root, { recursive: true });
  const store = openTestStore(root);
  const sources = { root, store, edl, readPolicy: (file: string) => new Uint8Array(readFileSync(file)) };
  const play = (args: object = {}) => playRun(sources, policies.play.args.parse({ runId, ...args }));
  return { sources, play };
}

/** The trained run under another id, as it would be on record with something changed. */
function insertChanged(store: Store, changed: Partial<RunRecord> & { readonly runId: string }): void {
  store.runs.insert({ ...store.runs.get(runId), seed: 4, ...changed });
  for (const policy of store.policies.list(runId))
    store.policies.insert({
      ...policy,
      policyId: `${changed.runId}-${policy.policyId}`,
      runId: changed.runId,
    });
}

describe('playRun', () => {
  test('an episode has as many steps as frames before them, what was done, paid and fired in each', async () => {
    const view = await open().play({ environment: 'training' });
    expect(policies.play.result.parse(view)).toEqual(view);
    expect(view).toMatchObject({ runId, round: 1, episode: 0, ending: 'truncated' });
    expect(view.environment).toMatchObject({ kind: 'training', round: 1 });
    expect(view.frames.moments.map(({ step }) => step)).toEqual(Array.from({ length: 26 }, (_, i) => i));
    expect(view.steps).toHaveLength(25);
    expect(view.paid).toHaveLength(25 * 3 * 3);
    expect(view.components).toEqual(['coverage', 'collision', 'near']);
    for (const [step, { actions, fired }] of view.steps.entries()) {
      expect(actions).toHaveLength(3);
      expect(actions.every((name) => /^[a-z]+$/.test(name))).toBe(true);
      // Each instance that fires pays its agent 1.
      const near = [2, 5, 8].reduce((sum, i) => sum + (view.paid[9 * step + i] ?? 0), 0);
      expect(near).toBe(fired['reward near'] ?? 0);
    }
  });

  test('the same policies, environment, seed and episode give the same; others do not', async () => {
    const { play } = open();
    const first = await play({ seed: 7, episode: 2 });
    expect(await play({ seed: 7, episode: 2 })).toEqual(first);
    const of = ({ frames }: typeof first) => unpackFrames(frames).map(({ numbers }) => [...numbers]);
    expect(of(await play({ seed: 8, episode: 2 }))).not.toEqual(of(first));
    expect(of(await play({ seed: 7, episode: 3 }))).not.toEqual(of(first));
    const earlier = await play({ seed: 7, episode: 2, round: 0 });
    expect(earlier.round).toBe(0);
    expect(of(earlier)[0]).toEqual(of(first)[0]);
    expect(earlier.policies).not.toEqual(first.policies);
    expect(of(earlier)).not.toEqual(of(first));
  });

  test('is, figure for figure, an episode of the evaluation that the run is scored by', async () => {
    const { sources, play } = open();
    const record = sources.store.policies.list(runId).find(({ round }) => round === 1);
    const policy = await openPolicy(sources.readPolicy(resolve(sources.root, record?.file ?? ''), ''));
    const seed = streamSeed(3, 'objective');
    const { groups } = await evaluatePolicies({
      createEnv: (numEnvs) => createVecEnv(plainSpec('simple_spread'), { numEnvs, seed, firstEpisode: 0 }),
      policies: { agent: policy },
      episodes: 8,
      seed,
    });
    await policy.dispose();
    const returns = [0, 5].map((episode) => groups.agent?.episodeReturn.values[episode]);
    const played = [await play(), await play({ episode: 5 })];
    expect(played.map((view) => view.groups[0]?.episodeReturn)).toEqual(returns);
    expect(played[0]?.groups[0]).toMatchObject({ group: 'agent', player: 'policy' });
    const coverage = played[1]?.groups[0]?.metrics.find(({ name }) => name === 'coverage');
    expect(coverage?.value).toBe(groups.agent?.metrics.coverage?.values[5]);
    // The mean over these episodes is the score on record.
    const score = groups.agent?.episodeReturn.mean ?? Number.NaN;
    expect(sources.store.rounds.find(runId, 1)?.outcome?.objective).toBeCloseTo(score, 9);
  });

  test('an environment of an earlier round is played as it was then', async () => {
    const { sources, play } = open();
    const text = 'environment near extends simple_spread {\n  set agent.count = 3\n}\n';
    const found = sources.store.rounds.find(runId, 0);
    const { environment } = compile(text, host);
    sources.store.rounds.begin({
      runId,
      round: 0,
      environmentHash: sources.store.texts.put(text),
      environmentIdentity: environment?.identity ?? '',
      startedAt: found?.startedAt ?? 0,
    });
    const then = await play({ environment: 'training', trainedIn: 0 });
    expect(then.components).toEqual(['coverage', 'collision']);
    expect(then.environment).toMatchObject({ round: 0, identity: environment?.identity });
    expect((await play({ environment: 'training' })).components).toContain('near');
    expect(listPlayable(sources.store, runId)).toMatchObject({
      training: [
        { from: 0, to: 0 },
        { from: 1, to: 1 },
      ],
      objective: 'simple_spread',
    });
  });

  test('where nothing was exported yet, or not after that round, it says what there is', async () => {
    const { sources, play } = open();
    const missing = await rejectedBy(play({ round: 4 }));
    expect(missing).toMatchObject({ code: 'input.notFound', data: { rounds: [0, 1] } });
    expect(missing.message).toContain('round 5; there are those of 1, 2');
    const { studyId, configuration } = sources.store.runs.get(runId);
    sources.store.runs.insert(runRecord({ runId: 'young', studyId, configuration }));
    const young = await rejectedBy(play({ runId: 'young' }));
    expect(young.code).toBe('input.notFound');
    expect(young.message).toContain('no policy yet');
    expect((await rejectedBy(play({ runId: 'nobody' }))).code).toBe('store.notFound');
    expect((await rejectedBy(play({ environment: 'training', trainedIn: 7 }))).code).toBe('input.notFound');
  });

  test('a run of another version of the scenario is refused, in training and on the objective', async () => {
    const { sources, play } = open();
    const { store } = sources;
    const round = store.rounds.find(runId, 1);
    if (round === null) throw new Error('there is no round');
    store.rounds.begin({ ...round, environmentIdentity: 'of an earlier version' });
    const training = await rejectedBy(play({ environment: 'training' }));
    expect(training.code).toBe('input.invalid');
    expect(training.message).toContain('round 2 means something else in this version');
    const run = store.runs.get(runId);
    const configuration = run.configuration as { objective: object };
    const objective = { ...configuration.objective, identity: 'of an earlier version' };
    insertChanged(store, { runId: 'older', configuration: { ...configuration, objective } });
    const scored = await rejectedBy(play({ runId: 'older' }));
    expect(scored).toMatchObject({ code: 'input.invalid', data: { identity: 'of an earlier version' } });
  });

  test("the objective is played although the model file of a run's coach is gone", async () => {
    const { sources, play } = open();
    const { store, root } = sources;
    const study = store.studies.get(store.runs.get(runId).studyId);
    const text = `${store.texts.get(study.experimentHash)}coach: {provider: llama, model: gone.gguf}\n`;
    store.studies.insert({ ...study, studyId: 's2', experimentHash: store.texts.put(text) });
    insertChanged(store, { runId: 'coached', studyId: 's2', seed: 3 });
    expect(() => readStudyExperiment(store, { root, edl }, 's2')).toThrow('gone.gguf');
    expect((await play({ runId: 'coached' })).steps).toEqual((await play()).steps);
  });

  test('potentials pay by the discount that the run learned with', async () => {
    const { sources, play } = open();
    const { store } = sources;
    const text = `environment still extends simple_spread {
  reward still { for a in agent give 1 to a potential }
}
`;
    const round = store.rounds.find(runId, 1);
    if (round === null) throw new Error('there is no round');
    const environmentIdentity = compile(text, host).environment?.identity ?? '';
    store.rounds.begin({ ...round, environmentHash: store.texts.put(text), environmentIdentity });
    const { components, paid } = await play({ environment: 'training' });
    expect(components).toEqual(['coverage', 'collision', 'still']);
    // From one step to the next the potential stays 1: the learner's gamma of 0.9, less 1.
    expect(paid[2]).toBeCloseTo(-0.1, 6);
    const { learner: _, ...configuration } = store.runs.get(runId).configuration as { learner: object };
    insertChanged(store, { runId: 'damaged', configuration });
    expect((await rejectedBy(play({ runId: 'damaged' }))).code).toBe('store.corrupt');
  });

  test('what was fading out of a round is played as it was trained, by the weights it began with', async () => {
    const { sources, play } = open();
    const { store } = sources;
    const declared = 'environment near extends simple_spread {\n}\n';
    const running = `environment near extends simple_spread {
  reward still_fades { for a in agent give 1 to a potential }
}
`;
    const identityOf = (text: string) => compile(text, host).environment?.identity ?? '';
    const faded = { name: 'still_fades', weight: 0.5, goal: 0, span: 1, isCoachMade: false, fades: 'still' };
    const plan = { trialSteps: 0, incumbent: null, question: null, rolledBackRound: null };
    const both = { textHash: store.texts.put(declared), identity: identityOf(declared) };
    const shaping = { textHash: store.texts.put(running), identity: identityOf(running), changedAt: 0 };
    const plans = [
      { ...plan, ...both },
      { ...plan, ...both, shaping: { ...shaping, components: [faded] } },
    ];
    insertChanged(store, { runId: 'faded', loop: { plans, isRequested: false } });
    for (const round of [0, 1])
      store.rounds.begin({
        runId: 'faded',
        round,
        environmentHash: both.textHash,
        environmentIdentity: both.identity,
        startedAt: 0,
      });
    const { components, paid, environment } = await play({ runId: 'faded', environment: 'training' });
    expect(components).toEqual(['coverage', 'collision', 'still_fades']);
    expect(paid[2]).toBeCloseTo(0.5 * -0.1, 6);
    expect(environment.identity).toBe(shaping.identity);
    expect(listPlayable(store, 'faded').training).toEqual([
      { from: 0, to: 0 },
      { from: 1, to: 1 },
    ]);
  });

  test('a damaged policy is policy.invalid', async () => {
    const { sources, play } = open();
    const record = sources.store.policies.list(runId)[0];
    writeFileSync(resolve(sources.root, record?.file ?? ''), 'no policy');
    expect((await rejectedBy(play())).code).toBe('policy.invalid');
  });

  test('who cancels it gets run.cancelled', async () => {
    const { sources } = open();
    const signal = AbortSignal.abort();
    const playing = playRun(sources, policies.play.args.parse({ runId }), signal);
    expect((await rejectedBy(playing)).code).toBe('run.cancelled');
  });
});

describe('playRun against opponents', { timeout: 120_000 }, () => {
  test('built-in policies play where they did, on the objective and in training; what they do is not told', async () => {
    const root = temporaryFolder();
    const run = await trainTiny(root, opposed);
    const store = openTestStore(root);
    const sources = { root, store, edl, readPolicy: (file: string) => new Uint8Array(readFileSync(file)) };
    const play = (args: object) => playRun(sources, policies.play.args.parse({ runId: run, ...args }));
    const [scored, training] = [await play({}), await play({ environment: 'training' })];
    const players = ({ groups }: typeof scored) => groups.map(({ group, player }) => [group, player]);
    expect(players(scored)).toEqual([
      ['adversary', 'noop'],
      ['good', 'policy'],
    ]);
    expect(players(training)).toEqual([
      ['adversary', 'to_midpoint'],
      ['good', 'policy'],
    ]);
    expect(scored.steps.map(({ actions: [opponent] }) => opponent)).toEqual(Array(25).fill(''));
    expect(scored.steps.every(({ actions }) => actions.slice(1).every((name) => name !== ''))).toBe(true);
    const of = ({ frames }: typeof scored) => unpackFrames(frames).map(({ numbers }) => [...numbers]);
    expect(of(scored)[0]).toEqual(of(training)[0]);
    expect(of(scored)).not.toEqual(of(training));
  });
});

describe('playRun of a long episode', { timeout: 120_000 }, () => {
  test('5000 steps arrive whole over every transport', async () => {
    const root = temporaryFolder();
    const run = await trainTiny(root, foraging);
    const store = openTestStore(root);
    const text = 'environment long extends foraging { set episode.length = 5000 set food.respawn = 1 }\n';
    const round = store.rounds.find(run, 1);
    if (round === null) throw new Error('there is no round');
    const environmentIdentity = compile(text, host).environment?.identity ?? '';
    store.rounds.begin({ ...round, environmentHash: store.texts.put(text), environmentIdentity });
    const sources = { root, store, edl, readPolicy: (file: string) => new Uint8Array(readFileSync(file)) };
    const view = await playRun(
      sources,
      policies.play.args.parse({ runId: run, environment: 'training', trainedIn: 1 }),
    );
    expect([view.steps.length, view.frames.moments.length]).toEqual([5000, 5001]);
    const served = { dispatch: async () => ({ ok: true, value: view }) as const, subscribe: () => () => {} };
    for (const connect of Object.values(transports))
      expect(await (await connect(served)).request('policies.play', {})).toEqual(view);
  });
});
