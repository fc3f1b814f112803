import { describe, expect, test } from 'vitest';
import { compile } from '../../../src/engine/edl/compile.ts';
import type { DiagnosticCode } from '../../../src/engine/edl/diagnostic-codes.ts';
import { AppError } from '../../../src/shared/std/app-error.ts';
import { testHost } from '../../support/edl-manifests.ts';
import { environmentOf, pointedAt } from '../../support/edl-text.ts';

interface Case {
  readonly code: DiagnosticCode;
  readonly edl: string;
  /** What the diagnostic points at. */
  readonly at: string;
  /** Part of the message. */
  readonly says: string;
  readonly suggests?: readonly string[];
}

const give = (value: string) => `reward r { for a in agent give ${value} to a }`;
const when = (condition: string) => `reward r { for a in agent when ${condition} give 1 to a }`;
const then = (effect: string) => `rule r { for a in agent then ${effect} }`;

const refusals: readonly Case[] = [
  { code: 'EDL102', edl: 'set agent.accel = 3 #', at: '#', says: "write '//' for '#'" },
  { code: 'EDL102', edl: 'mission "open', at: '"', says: 'closing quote' },
  { code: 'EDL103', edl: 'set agent.accel 3', at: '3', says: "expected '='" },
  { code: 'EDL103', edl: 'reward r { for a in agent }', at: '}', says: "found '}'; expected 'give'" },
  { code: 'EDL104', edl: give(`${'('.repeat(60)}1${')'.repeat(60)}`), at: '(', says: 'nested too deeply' },
  {
    code: 'EDL105',
    edl: give(Array(600).fill('1').join(' + ')),
    at: Array(600).fill('1').join(' + '),
    says: '600 operands',
  },
  {
    code: 'EDL105',
    edl: `reward r { ${[...'bcdefghij'].map((v) => `for ${v} in agent`).join(' ')} give 1 to b }`,
    at: 'for j in agent',
    says: 'at most 8 loops',
  },
  { code: 'EDL106', edl: give('1e999'), at: '1e999', says: 'larger than a number can be' },
  { code: 'EDL202', edl: give('tme'), at: 'tme', says: "did you mean 'time'?", suggests: ['time'] },
  {
    code: 'EDL202',
    edl: 'reward r { give 1 to agnet }',
    at: 'agnet',
    says: "did you mean 'agent'?",
    suggests: ['agent'],
  },
  { code: 'EDL203', edl: 'set agent.acel = 3', at: 'agent', says: "did you mean 'agent.accel'?" },
  {
    code: 'EDL204',
    edl: give('a.sped / 1 m/s'),
    at: 'sped',
    says: "did you mean 'speed'?",
    suggests: ['speed'],
  },
  {
    code: 'EDL205',
    edl: 'reward r { for a in agents give 1 to a }',
    at: 'agents',
    says: "did you mean 'agent'?",
  },
  {
    code: 'EDL206',
    edl: give('distanc(a, a)'),
    at: 'distanc',
    says: "did you mean 'distance'?",
    suggests: ['distance'],
  },
  { code: 'EDL206', edl: give('median over b in agent of 1'), at: 'median', says: 'unknown aggregate' },
  { code: 'EDL207', edl: when('time < 3 stp'), at: 'stp', says: "'stp' is not a unit", suggests: ['step'] },
  { code: 'EDL208', edl: 'issue i { when coverag < 3 }', at: 'coverag', says: "did you mean 'coverage'?" },
  {
    code: 'EDL208',
    edl: 'issue i { when distance(agent_0, agent_1) < 1 m }',
    at: 'distance',
    says: 'issues and stages see metrics, not the state',
  },
  {
    code: 'EDL308',
    edl: 'issue i { when any(l in landmark where coverage < 1) }',
    at: 'landmark',
    says: 'metrics are about agents',
  },
  {
    code: 'EDL209',
    edl: `${give('1')}\n${then('a.accel *= 2')}`,
    at: 'r',
    says: 'declared twice (as reward and rule)',
  },
  { code: 'EDL209', edl: 'mission "a"\nmission "b"', at: 'mission "b"', says: 'declared twice' },
  {
    code: 'EDL210',
    edl: 'set agent.accel = 3\nset agent.accel = 4',
    at: 'set agent.accel = 4',
    says: 'set twice',
  },
  {
    code: 'EDL211',
    edl: 'reward r { for time in agent give 1 to time }',
    at: 'time',
    says: 'already a signal',
  },
  { code: 'EDL211', edl: 'reward r { for m in agent give 1 to m }', at: 'm', says: 'already a unit' },
  { code: 'EDL211', edl: give('sum over a in agent of 1'), at: 'a', says: 'already a loop variable' },
  {
    code: 'EDL212',
    edl: 'reward collision { give 1 to agent }',
    at: 'collision',
    says: 'base reward component',
  },
  { code: 'EDL301', edl: when('time'), at: 'time', says: 'must be a condition, not a number' },
  { code: 'EDL301', edl: give('a'), at: 'a', says: 'must be a number, not an entity' },
  { code: 'EDL301', edl: when('distance(a, 3) < 1 m'), at: '3', says: 'must be an entity' },
  { code: 'EDL301', edl: when('agent.speed < 1 m/s'), at: 'agent.speed', says: 'is a set of 3' },
  {
    code: 'EDL302',
    edl: when('time < 3 m'),
    at: '3 m',
    says: 'a time (s, steps) and a length (m) cannot be compared',
  },
  {
    code: 'EDL302',
    edl: 'set agent.accel = 3 m',
    at: '3 m',
    says: 'is an acceleration',
    suggests: ['3 m/s^2'],
  },
  { code: 'EDL302', edl: then('a.accel *= 3 m'), at: '3 m', says: 'a factor is a plain number' },
  {
    code: 'EDL303',
    edl: when('distance(a, nearest(landmark)) < 0.3'),
    at: '0.3',
    says: 'write the unit',
    suggests: ['0.3 m'],
  },
  { code: 'EDL303', edl: when('time < 5'), at: '5', says: 'write the unit', suggests: ['5 steps'] },
  { code: 'EDL304', edl: give('distance(a)'), at: 'distance(a)', says: 'takes 2 arguments, not 1' },
  { code: 'EDL304', edl: give('abs(1 to a)'), at: 'a', says: "'to' belongs to nearest" },
  {
    code: 'EDL305',
    edl: 'reward r { when nearest(landmark).x > 0 m give 1 to agent }',
    at: 'nearest(landmark).x',
    says: 'nearest to what?',
  },
  {
    code: 'EDL306',
    edl: 'reward r { when distance(adversary_0, nearest(ally(adversary_0))) > 1 m give 1 to agent }',
    at: 'nearest(ally(adversary_0))',
    says: 'needs a member',
  },
  { code: 'EDL307', edl: 'set agent.count = 2.5', at: '2.5', says: 'whole number', suggests: ['3'] },
  {
    code: 'EDL307',
    edl: 'set agent.collide = 3',
    at: '3',
    says: 'true or false',
    suggests: ['true', 'false'],
  },
  { code: 'EDL308', edl: 'reward r { give 1 to landmark }', at: 'landmark', says: 'a reward goes to agents' },
  {
    code: 'EDL308',
    edl: 'reward r { give count(b in ally(goal)) to agent }',
    at: 'goal',
    says: 'is a landmark',
  },
  {
    code: 'EDL309',
    edl: 'reward r { give count(b in ally(leader)) to agent }',
    at: 'leader',
    says: 'one that changes',
  },
  {
    code: 'EDL401',
    edl: 'set agent.accel = 99',
    at: '99',
    says: 'ranges from 0 m/s^2 to 20 m/s^2',
    suggests: ['20 m/s^2'],
  },
  {
    code: 'EDL401',
    edl: 'set local_ratio = -20%',
    at: '-20%',
    says: 'ranges from 0% to 100%',
    suggests: ['0%'],
  },
  {
    code: 'EDL401',
    edl: then('a.accel = 30 m/s^2'),
    at: '30 m/s^2',
    says: 'ranges from',
    suggests: ['20 m/s^2'],
  },
  { code: 'EDL402', edl: then('a.mass *= 2'), at: 'mass', says: 'read-only (inertia, a physics constant)' },
  {
    code: 'EDL403',
    edl: `rule p { then agent_0.accel = 1 }\nrule q { for a in agent then a.accel = 2 }`,
    at: 'then a.accel = 2',
    says: "rule 'p' too",
  },
  {
    code: 'EDL403',
    edl: 'rule p { for a in agent then agent_0.accel = 1 }',
    at: 'then agent_0.accel = 1',
    says: 'this rule more than once',
  },
  { code: 'EDL501', edl: give('1 / (2 - 2)'), at: '(2 - 2)', says: 'division by zero' },
  {
    code: 'EDL503',
    edl: 'reward r { give 1 to agent limit 5% of nominal limit 6% of nominal }',
    at: 'limit 6% of nominal',
    says: 'given twice',
  },
  {
    code: 'EDL504',
    edl: `set agent.count = 8 reward r { ${[...'bcdef'].map((v) => `for ${v} in agent`).join(' ')} give 1 to b }`,
    at: 'r',
    says: "the costliest is reward 'r', whose 5 loops multiply",
  },
  {
    code: 'EDL505',
    edl: 'reward r { give 1 to agent limit 0% of nominal }',
    at: 'limit 0% of nominal',
    says: 'above 0%',
  },
  {
    code: 'EDL505',
    edl: 'reward r { give 1 to agent decay half every 0 steps }',
    at: 'decay half every 0 steps',
    says: 'at least 1 step',
  },
  {
    code: 'EDL505',
    edl: 'issue i { when coverage < 1 for 0 evaluations }',
    at: '0',
    says: 'whole number of evaluations',
  },
  { code: 'EDL505', edl: give('1e39'), at: '1e39', says: 'no finite number' },
  { code: 'EDL106', edl: give('1e300 * 1e300'), at: '1e300', says: 'no finite number' },
  { code: 'EDL106', edl: give('(1e308 + 1e308) - 1e308 * 10'), at: '1e308', says: 'no finite number' },
  { code: 'EDL106', edl: when('time < 1e308 s'), at: '1e308 s', says: 'no finite number' },
  {
    code: 'EDL107',
    edl: 'reward größe { give 1 to agent }',
    at: 'größe',
    says: "write 'grosse'?",
    suggests: ['grosse'],
  },
  { code: 'EDL505', edl: give('sqrt(-4)'), at: '-4', says: 'negative' },
];

const scenarioOf = (edl: string) => (/adversary|goal|leader/.test(edl) ? 'pursuit' : 'spread');

describe('compile', () => {
  test.each(refusals)('refuses with $code: $edl', ({ code, edl, at, says, suggests }) => {
    const text = environmentOf(edl, scenarioOf(edl));
    const { diagnostics, environment } = compile(text, testHost());
    const found = diagnostics.find((diagnostic) => diagnostic.code === code);
    expect(found, JSON.stringify(diagnostics)).toBeDefined();
    if (found === undefined) return;
    expect(found.message).toContain(says);
    expect(pointedAt(text, found).slice(0, at.length)).toBe(at);
    if (suggests !== undefined) expect(found.suggestions).toEqual(suggests);
    expect(found.severity).toBe('error');
    expect(environment).toBeNull();
  });

  test.each([
    ['EDL213', 'reward r { for a in agent give 1 to agent_0 }', "'a' is not used"],
    ['EDL502', when('time >= 0 steps'), 'always holds'],
    ['EDL502', 'issue i { when coverage > 100% }', 'never holds'],
    ['EDL506', then('a.accel *= 1'), 'changes nothing'],
  ])('warns with %s and still compiles: %s', (code, edl, says) => {
    const { diagnostics, environment } = compile(environmentOf(edl), testHost());
    expect(diagnostics.map((diagnostic) => [diagnostic.code, diagnostic.severity])).toEqual([
      [code, 'warning'],
    ]);
    expect(diagnostics[0]?.message).toContain(says);
    expect(environment).not.toBeNull();
  });

  test('a word misspelt in a block is one error, and so is each of the next declarations', () => {
    const codesOf = (text: string) => compile(text, testHost()).diagnostics.map(({ message }) => message);
    const misspelt = 'reward r { for a in agent giv 1 to a } reward s { for a in agent give 1 to a }';
    expect(codesOf(environmentOf(misspelt))).toEqual(["found 'giv'; expected 'give'"]);
    const twice = 'set agent.accel == 3 reward s { for a in agent when 1 < < 2 give 1 to a a }';
    expect(codesOf(environmentOf(twice))).toEqual([
      "'==' compares; write '=' to set a value",
      "found '<'; expected a number, a name or '('",
    ]);
  });

  test('names the nearest scenario for an unknown one', () => {
    const { diagnostics } = compile('environment x extends spraed {}', testHost());
    expect(diagnostics.map((d) => [d.code, d.suggestions])).toEqual([['EDL201', ['spread']]]);
  });

  test('turns a refusal of the scenario into a diagnostic on it', () => {
    const host = testHost();
    const strict = {
      ...host,
      manifest(scenario: string, parameters: Record<string, number>) {
        if (parameters['agent.accel'] === 1) {
          throw new AppError('scenario.invalidParameter', 'accel 1 and collide do not go together');
        }
        return host.manifest(scenario, parameters);
      },
    };
    const { diagnostics, environment } = compile(environmentOf('set agent.accel = 1'), strict);
    expect(diagnostics.map((d) => [d.code, d.message])).toEqual([
      ['EDL404', 'accel 1 and collide do not go together'],
    ]);
    expect(environment).toBeNull();
  });

  test('resolves counts for the parameters that are set', () => {
    const { environment } = compile(environmentOf(`set agent.count = 5\n${give('1')}`), testHost());
    expect(environment?.spec.program?.declarations).toMatchObject([
      { kind: 'reward', name: 'r', instances: 5 },
    ]);
    expect(environment?.manifest.numAgents).toBe(5);
    expect(environment?.spec.parameters).toEqual({ 'agent.count': 5 });
  });

  test('the nearest of two allies is the one other, not an empty set', () => {
    const edl = 'reward r { for a in agent when distance(a, nearest(ally(a))) > 1 m give 1 to a }';
    expect(compile(environmentOf(edl, 'pursuit'), testHost()).diagnostics).toEqual([]);
  });

  test('an environment that only sets parameters has no program', () => {
    const { environment } = compile(environmentOf('set agent.accel = 4'), testHost());
    expect(environment?.spec.program).toBeNull();
    expect(environment?.costPerStep).toBe(0);
  });

  test('limits and decays become reward units and training steps', () => {
    const edl =
      'reward r { give 1 to agent limit 10% of nominal decay half every 20 s }\nreward s { give 1 to agent }';
    const { environment } = compile(environmentOf(edl), testHost());
    expect(environment?.spec.program?.components).toEqual([
      { name: 'r', halfLifeSteps: 200, episodeLimit: 2.5, isPotential: false },
      { name: 's', halfLifeSteps: 0, episodeLimit: Infinity, isPotential: false },
    ]);
  });

  test('reads declarations with their targets, docs and places', () => {
    const text = environmentOf(
      'mission "Cover"\nset agent.accel = 4 // push\nreward r "why" { give 1 to agent }',
    );
    const { environment } = compile(text, testHost());
    expect(environment?.declarations.map((d) => [d.target, d.doc, d.text, d.range.start.line])).toEqual([
      ['mission', 'Cover', 'mission "Cover"', 1],
      ['set agent.accel', '', 'set agent.accel = 4', 2],
      ['reward r', 'why', 'reward r "why" { give 1 to agent }', 3],
    ]);
    expect(environment?.mission).toBe('Cover');
  });

  test('a scenario that nothing known is like may be one whose library is not named', () => {
    const messageOf = (scenario: string): string =>
      compile(`environment e extends ${scenario} { }`, testHost()).diagnostics[0]?.message ?? '';
    expect(messageOf('gather')).toContain('the library of one of your own is named in GYMWRIGHT_SCENARIOS');
    expect(messageOf('sprad')).toContain('spread');
    expect(messageOf('sprad')).not.toContain('GYMWRIGHT_SCENARIOS');
    expect(messageOf('spreed2')).toMatch(/did you mean 'spread'.*GYMWRIGHT_SCENARIOS/);
  });
});
