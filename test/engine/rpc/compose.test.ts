import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { emitOnnx } from '../../../src/engine/learn/graph/emit.ts';
import { Graph } from '../../../src/engine/learn/graph/graph.ts';
import { openEngine, openReader, openTools } from '../../../src/engine/rpc/index.ts';
import { rejectedBy } from '../../support/error-code.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { trainTiny } from '../../support/trained-workspace.ts';

const sound = 'environment plain extends simple_spread {\n}\n';

async function openReal() {
  const root = temporaryFolder();
  mkdirSync(join(root, 'experiments'));
  writeFileSync(join(root, 'sound.edl'), sound);
  const engine = await openEngine({ root });
  onTestFinished(() => engine.close());
  return { root, client: engine.client };
}

describe('an engine of the real modules', () => {
  test('checks, formats and explains EDL against the scenarios of this build', async () => {
    const { client } = await openReal();
    const names = (await client.edl.scenarios({})).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['simple_adversary', 'simple_spread']));
    expect((await client.edl.check({ text: sound })).environment).toMatchObject({
      name: 'plain',
      scenario: 'simple_spread',
    });
    const broken = await client.edl.check({ text: 'environment broken extends simple_spred {}' });
    expect(broken.environment).toBeNull();
    expect(broken.diagnostics.length).toBeGreaterThan(0);
    const error = await rejectedBy(client.edl.format({ text: 'environment {' }));
    expect(error).toMatchObject({ code: 'edl.invalid', data: { diagnostics: expect.any(Array) } });
  });

  test('once closed it no longer asks a coach that it was to ask often', async () => {
    const { root } = await openReal();
    const reader = await openReader({ root });
    const environment = join(root, 'sound.edl');
    const asked = rejectedBy(
      reader.client.coach.propose({ environment, count: 400, seed: 1, provider: 'random' }),
    );
    await nextTurn();
    await reader.close();
    expect((await asked).code).toBe('run.cancelled');
  });

  test('answers others while it measures the speed of the simulator', async () => {
    const { client } = await openReal();
    const answered: string[] = [];
    const speed = client.simulator
      .speed({ scenario: 'simple_spread', seconds: 0.5 })
      .then(() => answered.push('speed'));
    let turns = 0;
    const status = client.engine.status({}).then(() => answered.push('status'));
    while (answered.length === 0) {
      turns++;
      await nextTurn();
    }
    await Promise.all([status, speed]);
    expect(answered).toEqual(['status', 'speed']);
    expect(turns).toBeLessThan(10);
  });

  test('refuses an experiment with an unknown key before anything trains', async () => {
    const { root, client } = await openReal();
    writeFileSync(
      join(root, 'experiments', 'x.yaml'),
      'name: x\nenvironment: sound.edl\nbugdet: {steps: 10}\n',
    );
    const error = await rejectedBy(client.runs.start({ experimentPath: 'experiments/x.yaml' }));
    expect(error.code).toBe('experiment.invalid');
    expect(error.message).toContain('bugdet');
    expect(await client.runs.list({})).toEqual([]);
  });

  test.each([
    ['runs.start', 'workspace.notFound', { experimentPath: 'experiments/missing.yaml' }],
    ['runs.get', 'store.notFound', { studyId: 'nothing' }],
    ['runs.compare', 'store.notFound', { runIds: ['nothing'] }],
    ['runs.pause', 'store.notFound', { studyId: 'nothing' }],
    ['coach.decide', 'store.notFound', { proposalId: 'nothing', verdict: 'accepted' }],
    ['coach.requestProposal', 'store.notFound', { runId: 'nothing' }],
    ['models.inspect', 'model.notFound', { path: 'missing.gguf' }],
    ['policies.export', 'store.notFound', { policyId: 'nothing' }],
  ])('%s answers %s', async (call, code, args) => {
    const root = temporaryFolder();
    const engine = await openEngine({ root });
    onTestFinished(() => engine.close());
    expect((await rejectedBy(engine.transport.request(call, args))).code).toBe(code);
  });

  test('a coach asked outside a run proposes edits that keep to the language', async () => {
    const { client } = await openReal();
    const { proposals, funnel } = await client.coach.propose({
      environment: 'sound.edl',
      provider: 'random',
      count: 2,
    });
    expect(funnel.asked).toBe(2);
    for (const { after } of proposals) {
      if (after !== null) expect((await client.edl.check({ text: after })).environment).not.toBeNull();
    }
  });
});

test('a model of somebody else is imported for the group of an environment, and evaluated there', async () => {
  const { client, root } = await openReal();
  const g = new Graph();
  const x = g.input('x', [2, 18]);
  // Always the first action: the agents stay where they are.
  const logits = g.add(g.scale(g.matmul(x, g.fill(0, [18, 5])), 1), g.constant([1, 0, 0, 0, 0], [1, 5]));
  const model = emitOnnx(g, { logits }, { name: 'foreign', dynamicBatch: true });
  writeFileSync(join(root, 'foreign.onnx'), model);
  const request = { file: 'foreign.onnx', environment: 'simple_spread' };
  const { policy, onnx } = await client.policies.import(request);
  expect(policy).toMatchObject({ scenario: 'simple_spread', group: 'agent', obsDim: 18, numActions: 5 });
  writeFileSync(join(root, 'policy.onnx'), onnx);
  const { groups } = await client.policies.evaluate({
    policies: ['policy.onnx'],
    environment: 'simple_spread',
    episodes: 256,
  });
  // What standing still earns.
  expect(groups[0]?.episodeReturn.mean).toBeCloseTo(-24.4, -0.5);
  const ghost = Buffer.from(onnx);
  // The group's name in the metadata, for another of as many letters.
  ghost.write('"group":"ghost"', ghost.indexOf('"group":"agent"'));
  writeFileSync(join(root, 'ghost.onnx'), ghost);
  const nobody = await rejectedBy(
    client.policies.evaluate({
      policies: ['ghost.onnx'],
      environment: 'simple_spread',
      play: { agent: 'greedy' },
      episodes: 4,
      seed: 1,
    }),
  );
  expect(nobody).toMatchObject({
    code: 'input.invalid',
    message: 'ghost.onnx plays ghost, which simple_spread has not; there are agent',
  });
  const unclear = await rejectedBy(client.policies.import({ ...request, environment: 'simple_adversary' }));
  expect(unclear.message).toMatch(/several groups: say which the model plays, of adversary \(8 observations/);
  const refused = await rejectedBy(
    client.policies.import({ ...request, environment: 'simple_adversary', group: 'good' }),
  );
  expect(refused).toMatchObject({ code: 'policy.invalid', data: { reason: 'space' } });
});

test('evidence is watched by the discount that its run learned with', async () => {
  const root = temporaryFolder();
  await trainTiny(
    root,
    `environment: near.edl
objective: {metric: episode_return, group: agent, environment: simple_spread}
coach: {provider: random, trigger: {interval: 1}, mode: manual}
`,
  );
  const { client, close } = await openReader({ root });
  onTestFinished(close);
  const [proposal] = await client.coach.list({});
  const text =
    'environment still extends simple_spread {\n  reward still { for a in agent give 1 to a potential }\n}\n';
  const asked = { proposalId: proposal?.proposalId ?? '', round: 0, copy: 0, from: 0, to: 0, text };
  const { components, steps } = await client.coach.evidence(asked);
  expect(components).toEqual(['coverage', 'collision', 'still']);
  expect(steps[0]?.components[2]).toBeCloseTo(-0.1, 6);
}, 60_000);

test('a reader composes without taking the workspace', async () => {
  const { root } = await openReal();
  const reader = await openReader({ root });
  expect(await reader.client.runs.list({})).toEqual([]);
  expect((await reader.client.models.status({})).state).toBe('absent');
  await reader.close();
});

test('tools work without a workspace, and say what needs one', async () => {
  const tools = await openTools();
  expect((await tools.client.edl.check({ text: sound })).environment?.name).toBe('plain');
  const speed = await tools.client.simulator.speed({ scenario: 'simple_spread', numEnvs: 4, seconds: 0.05 });
  expect(speed.stepsPerSecond).toBeGreaterThan(0);
  expect((await rejectedBy(tools.client.runs.list({}))).code).toBe('engine.unavailable');
  await tools.close();
});
