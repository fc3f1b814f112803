import { describe, expect, test } from 'vitest';
import { type CallSpec, contract } from '../../src/shared/contract/index.ts';
import type { AppError } from '../../src/shared/std/app-error.ts';
import { rejectedBy } from '../support/error-code.ts';
import { serveFakes } from '../support/serve-fakes.ts';
import { transports } from '../support/transports.ts';

interface CallCase {
  /** Arguments that succeed, or null where only a failure can be provoked. */
  readonly good: unknown;
  /** Arguments the schema refuses; null for calls without arguments, which take anything of an object. */
  readonly bad: unknown;
  /** Arguments that make the handler throw, and the code. */
  readonly failing?: readonly [args: unknown, code: string];
}

const study = {
  good: { studyId: 's1' },
  bad: { studyId: 7 },
  failing: [{ studyId: 's9' }, 'store.notFound'],
} as const;
const opened = { session: 'w1', path: 'a.edl', version: 1 };
const unopened = { ...opened, path: 'b.edl' };
const stale = { ...opened, version: 2 };
const position = { line: 0, character: 12 };
const at = { ...opened, position };
const document = { good: opened, bad: {}, failing: [unopened, 'edl.notOpen'] } as const;
const place = {
  good: at,
  bad: { ...opened, position: { line: -1, character: 0 } },
  failing: [{ ...stale, position }, 'edl.stale'],
} as const;
const nothing = { good: {}, bad: 'no object' } as const;

/** One entry per call of the contract; the type makes a forgotten one an error. */
const cases = {
  'workspace.get': nothing,
  'workspace.list': nothing,
  'workspace.read': { good: null, bad: {}, failing: [{ path: 'missing.edl' }, 'workspace.notFound'] },
  'workspace.write': {
    good: { path: 'a.edl', text: 'environment a extends b {}', baseHash: null },
    bad: { path: '', text: 'x', baseHash: null },
    failing: [{ path: '../a.edl', text: 'x', baseHash: null }, 'input.invalid'],
  },
  'edl.check': { good: { text: 'e' }, bad: { text: null } },
  'edl.format': { good: { text: 'e' }, bad: {}, failing: [{ text: 'bad' }, 'edl.invalid'] },
  'edl.explain': { good: { text: 'e' }, bad: {} },
  'edl.flatten': { good: { text: 'e' }, bad: {}, failing: [{ text: 'bad' }, 'edl.invalid'] },
  'edl.schema': { good: { of: 'ir' }, bad: { of: 'all' } },
  'edl.grammar': {
    good: { scenario: 'gather' },
    bad: { scenario: 'gather', count: 0 },
    failing: [{ scenario: 'none' }, 'scenario.unknown'],
  },
  'edl.scenarios': nothing,
  'edl.open': { good: { ...unopened, text: 'e' }, bad: { ...unopened, version: -1, text: 'e' } },
  'edl.change': {
    good: { ...opened, text: 'e' },
    bad: { ...opened },
    failing: [{ ...unopened, text: 'e' }, 'edl.notOpen'],
  },
  'edl.close': { good: { session: 'w1', path: 'c.edl' }, bad: { session: '', path: 'a.edl' } },
  'edl.cancel': { good: { session: 'w1', path: 'a.edl' }, bad: {} },
  'edl.diagnose': document,
  'edl.complete': place,
  'edl.hover': place,
  'edl.definition': place,
  'edl.references': place,
  'edl.prepareRename': place,
  'edl.rename': {
    good: { ...at, name: 'b' },
    bad: at,
    failing: [{ ...unopened, position, name: 'b' }, 'edl.notOpen'],
  },
  'edl.outline': document,
  'edl.folding': document,
  'edl.semanticTokens': document,
  'edl.signature': place,
  'edl.fixes': {
    good: { ...opened, range: { start: position, end: position } },
    bad: opened,
    failing: [{ ...stale, range: { start: position, end: position } }, 'edl.stale'],
  },
  'simulator.speed': {
    good: { scenario: 'simple_spread' },
    bad: { scenario: 'simple_spread', numEnvs: 0.5 },
  },
  'simulator.libraries': nothing,
  'simulator.check': {
    good: { scenario: 'gather' },
    bad: {},
    failing: [{ scenario: 'x' }, 'scenario.unknown'],
  },
  'simulator.trace': {
    good: { scenario: 'simple_spread', case: { init: [1] } },
    bad: {},
    failing: [{ scenario: 'x', case: null }, 'scenario.unknown'],
  },
  'simulator.frames': {
    good: { scenario: 'simple_spread', play: { agent: 'random' }, from: 1, to: 3, most: 2 },
    bad: { scenario: 'simple_spread', episode: -1 },
    failing: [{ scenario: 'x' }, 'scenario.unknown'],
  },
  'simulator.describe': {
    good: { scenario: 'simple_spread', play: { agent: 'random' }, steps: 5 },
    bad: { scenario: 'simple_spread', every: 0 },
    failing: [{ scenario: 'x' }, 'input.notFound'],
  },
  'runs.list': nothing,
  'runs.get': study,
  'runs.start': {
    good: { experimentPath: 'experiments/spread.yaml', seed: 3 },
    bad: { experimentPath: 'x', seed: 'three' },
    failing: [{ experimentPath: 'broken.yaml' }, 'experiment.invalid'],
  },
  'runs.pause': study,
  'runs.unpause': study,
  'runs.stop': study,
  'runs.keys': {
    good: { runIds: ['r1'] },
    bad: { runIds: 'r1' },
    failing: [{ runIds: ['r9'] }, 'store.notFound'],
  },
  'runs.series': {
    good: { runId: 'r1', key: 'charts/episodic_return' },
    bad: { runId: 'r1', key: 'k', maxPoints: 1 },
    failing: [{ runId: 'r1', key: 'nothing' }, 'store.notFound'],
  },
  'runs.compare': {
    good: { runIds: ['r1'] },
    bad: { runIds: [] },
    failing: [{ runIds: ['r9'] }, 'store.notFound'],
  },
  'runs.report': {
    good: { studyIds: ['s1'] },
    bad: { studyIds: [] },
    failing: [{ studyIds: ['s9'] }, 'store.notFound'],
  },
  'runs.plan': {
    good: { experimentPath: 'e.yaml' },
    bad: {},
    failing: [{ experimentPath: 'broken.yaml' }, 'experiment.invalid'],
  },
  'runs.ablation': { ...study, bad: { studyId: 's1', seeds: [] } },
  'coach.list': { good: { studyId: 's1' }, bad: { studyId: false } },
  'coach.get': { good: { proposalId: 'p1' }, bad: {}, failing: [{ proposalId: 'p9' }, 'store.notFound'] },
  'coach.evidence': {
    good: { proposalId: 'p1', round: 0, copy: 0, from: 0, to: 3 },
    bad: { proposalId: 'p1', round: 0, copy: -1, from: 0, to: 3 },
    failing: [{ proposalId: 'p9', round: 0, copy: 0, from: 0, to: 3 }, 'store.notFound'],
  },
  'coach.propose': { good: { environment: 'e.edl' }, bad: { environment: 'e.edl', count: 0 } },
  'coach.decide': {
    good: { proposalId: 'p1', verdict: 'rejected' },
    bad: { proposalId: 'p1', verdict: 'perhaps' },
    failing: [{ proposalId: 'p9', verdict: 'accepted' }, 'store.constraint'],
  },
  'coach.requestProposal': { good: { runId: 'r1' }, bad: {}, failing: [{ runId: 'r9' }, 'store.notFound'] },
  'coach.translate': {
    good: { text: 'splendid' },
    bad: { text: 5 },
    failing: [{ text: 'unreadable' }, 'input.invalid'],
  },
  'coach.memory': { good: {}, bad: { frozen: 7 }, failing: [{ frozen: 'f9' }, 'store.notFound'] },
  'coach.probe': {
    good: { provider: 'rules' },
    bad: { provider: 'somebody' },
    failing: [{ provider: 'llama', model: 'gone.gguf' }, 'model.notFound'],
  },
  'coach.learn': {
    good: { studyIds: ['s1'] },
    bad: { studyIds: 1 },
    failing: [{ studyIds: ['s9'] }, 'store.notFound'],
  },
  'coach.forget': { good: { proposalId: 'p1' }, bad: {}, failing: [{ proposalId: 'p9' }, 'store.notFound'] },
  'coach.export': {
    good: { studyIds: ['s1'] },
    bad: { trainShare: 2 },
    failing: [{ studyIds: ['s9'] }, 'store.notFound'],
  },
  'models.list': nothing,
  'models.inspect': {
    good: { path: 'tiny.gguf' },
    bad: {},
    failing: [{ path: 'missing.gguf' }, 'model.notFound'],
  },
  'models.test': { good: { path: 'tiny.gguf' }, bad: { path: 5 } },
  'models.status': nothing,
  'policies.list': { good: {}, bad: { runId: 1 } },
  'policies.export': { good: { policyId: 'x1' }, bad: {}, failing: [{ policyId: 'x9' }, 'store.notFound'] },
  'policies.import': {
    good: { file: 'm.onnx', environment: 'e.edl', group: 'agent' },
    bad: { file: 'm.onnx', environment: 'e.edl', extras: ['colour'] },
  },
  'policies.evaluate': {
    good: { policies: ['x1'], environment: 'e.edl' },
    bad: { policies: ['x1'], environment: 'e.edl', episodes: 0 },
  },
  'policies.playable': { good: { runId: 'r1' }, bad: {}, failing: [{ runId: 'r9' }, 'store.notFound'] },
  'policies.play': {
    good: { runId: 'r1', environment: 'training', episode: 3 },
    bad: { runId: 'r1', episode: -1 },
    failing: [{ runId: 'r9' }, 'store.notFound'],
  },
  'policies.cancelPlay': { good: { ticket: 'a' }, bad: {} },
  'engine.status': nothing,
  'engine.log': nothing,
} satisfies Record<string, CallCase>;

const entries: [string, CallCase][] = Object.entries(cases);

test('every call an engine answers has its cases', () => {
  const { desktop, ...domains } = contract;
  const calls = Object.entries(domains).flatMap(([domain, verbs]) =>
    Object.keys(verbs).map((verb) => `${domain}.${verb}`),
  );
  expect(Object.keys(desktop).length).toBeGreaterThan(0);
  expect(Object.keys(cases).sort()).toEqual(calls.sort());
});

type Connect = (typeof transports)[string];

/** What a connection answers to each of the calls, by name; rejections as `code: message`. */
async function answersOf(connect: Connect, calls: readonly (readonly [call: string, args: unknown])[]) {
  const { served, root } = serveFakes();
  const transport = await connect(served);
  const answers: Record<string, unknown> = {};
  for (const [call, args] of calls) {
    const answer = await transport
      .request(call, args)
      .catch((error: AppError) => `${error.code}: ${error.message}`);
    answers[call] = normalize(answer, root);
  }
  return answers;
}

const good = entries.flatMap(([call, each]) => (each.good === null ? [] : [[call, each.good] as const]));
const failing = entries.flatMap(([call, each]) =>
  each.failing === undefined ? [] : [[call, each.failing] as const],
);

describe.each(Object.entries(transports))('%s', (_name, connect) => {
  test('every call answers by its contract', async () => {
    const answers = await answersOf(connect, good);
    for (const [call] of good) {
      const [domain = '', verb = ''] = call.split('.');
      const calls: Record<string, CallSpec> = contract[domain as keyof typeof contract];
      expect(calls[verb]?.result.parse(answers[call]), call).toEqual(answers[call]);
    }
  });

  test('every call refuses bad arguments and names itself', async () => {
    const answers = await answersOf(
      connect,
      entries.map(([call, { bad }]) => [call, bad]),
    );
    for (const [call] of entries) expect(answers[call]).toMatch(new RegExp(`^rpc.badArguments: ${call} `));
  });

  test('every call passes the code of its handler on', async () => {
    const answers = await answersOf(
      connect,
      failing.map(([call, [args]]) => [call, args]),
    );
    for (const [call, [, code]] of failing) expect(answers[call], call).toMatch(new RegExp(`^${code}: `));
  });
});

describe('all transports', () => {
  test('agree on every answer', async () => {
    const [first, ...others] = Object.values(transports).map((connect) => answersOf(connect, good));
    for (const other of others) expect(await other).toEqual(await first);
  });

  test('agree on code, message and data of an error', async () => {
    for (const connect of Object.values(transports)) {
      const transport = await connect(serveFakes().served);
      const error = await rejectedBy(transport.request('runs.start', { experimentPath: 'broken.yaml' }));
      expect(error).toMatchObject({
        code: 'experiment.invalid',
        message: 'broken.yaml line 3: unknown key "bugdet"',
        data: { line: 3 },
      });
    }
  });
});

/** Leaves out what differs from one engine to the next: its folder and the clock. */
function normalize(value: unknown, root: string): unknown {
  if (ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return value.map((item) => normalize(item, root));
  if (typeof value === 'string') return value.replaceAll(root, 'ROOT').replace(/gymwright-test-\w+/, 'NAME');
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, key === 'modifiedAt' ? 0 : normalize(item, root)]),
  );
}
