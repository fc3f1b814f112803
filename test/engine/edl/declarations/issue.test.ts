import { describe, expect, test } from 'vitest';
import { compile, explain } from '../../../../src/engine/edl/index.ts';
import type { IssueSpec } from '../../../../src/engine/edl/types.ts';
import { testHost } from '../../../support/edl-manifests.ts';
import { environmentOf } from '../../../support/edl-text.ts';
import { expectRefusal } from '../../../support/expect-refusal.ts';

function issueOf(declarations: string, scenario = 'pursuit'): IssueSpec {
  const { environment, diagnostics } = compile(environmentOf(declarations, scenario), testHost());
  const [issue] = environment?.issues ?? [];
  if (issue === undefined) throw new Error(JSON.stringify(diagnostics));
  return issue;
}

/** Values by metric or "agent.metric". */
const reader = (values: Record<string, number>) => (name: string, subject?: string) =>
  values[subject === undefined ? name : `${subject}.${name}`];

const gap = 'metric gap { for a in agent distance(a, goal) unit m }';

describe('issueKind', () => {
  test('is watched for each agent of its loop, by name', () => {
    const issue = issueOf('issue i { for a in agent when a.collisions > 2 for 3 evaluations }');
    expect(issue.subjects).toEqual(['agent_0', 'agent_1']);
    const metrics = reader({ 'agent_0.collisions': 3, 'agent_1.collisions': 1, collisions: 9 });
    expect(issue.evaluate(metrics, 'agent_0')).toBe(true);
    expect(issue.evaluate(metrics, 'agent_1')).toBe(false);
  });

  test('compares an agent with the environment, a named agent, its team and its mates', () => {
    const holds = (condition: string, values: Record<string, number>) =>
      issueOf(`issue i { for a in agent when ${condition} }`).evaluate(reader(values), 'agent_0');
    const values = {
      collisions: 2,
      'agent_0.collisions': 4,
      'agent_1.collisions': 2,
      'adversary_0.collisions': 5,
    };
    expect(holds('a.collisions > collisions', values)).toBe(true);
    expect(holds('a.collisions > adversary_0.collisions', values)).toBe(false);
    expect(holds('a.collisions > agent.collisions', values)).toBe(true);
    expect(holds('agent.collisions == 3', values)).toBe(true);
    expect(holds('a.collisions > max over b in ally(a) of b.collisions', values)).toBe(true);
    expect(holds('any(b in opponent(a) where b.collisions > a.collisions)', values)).toBe(true);
    expect(holds('all(b in agent where b.collisions > 2)', values)).toBe(false);
    expect(holds('count(b in other(a)) == 2 and sum over b in agent of b.collisions == 6', values)).toBe(
      true,
    );
    expect(holds('a == agent_0 and a != agent_1', values)).toBe(true);
  });

  test('a metric that one member lacks makes what goes over it undefined', () => {
    const issue = issueOf('issue i { when mean over b in agent of b.collisions > 0 or collisions > 5 }');
    expect(issue.evaluate(reader({ 'agent_0.collisions': 1, collisions: 3 }))).toBe(false);
    expect(issue.evaluate(reader({ 'agent_0.collisions': 1, collisions: 6 }))).toBe(true);
  });

  test('reads metrics that the text declares, before or after it', () => {
    const issue = issueOf(`issue i { for a in agent when a.gap > 0.5 m until a.gap < 20% * 1 m } ${gap}`);
    expect(issue.metrics).toEqual(['gap']);
    expect(issue.until).toBe('a.gap < 20% * 1 m');
    expect(issue.evaluate(reader({ 'agent_0.gap': 0.6 }), 'agent_0')).toBe(true);
    expect(issue.isOver(reader({ 'agent_0.gap': 0.3 }), 'agent_0')).toBe(false);
    expect(issue.isOver(reader({ 'agent_0.gap': 0.1 }), 'agent_0')).toBe(true);
  });

  test('reads what constraints count', () => {
    const constraint = 'constraint slow { for a in agent never a.speed > 1 m/s }';
    const issue = issueOf(
      `${constraint} issue i { for a in agent when a.slow > 2 or constraint_violations > 9 }`,
    );
    expect(issue.metrics).toEqual(['constraint_violations', 'slow']);
    expect(issue.evaluate(reader({ 'agent_1.slow': 3, constraint_violations: 3 }), 'agent_1')).toBe(true);
  });

  test('subject, `until` and evaluations are part of the identity', () => {
    const identity = (edl: string) => compile(environmentOf(edl), testHost()).environment?.identity;
    const forms = [
      'issue i { when collisions > 2 }',
      'issue i { for a in agent when a.collisions > 2 }',
      'issue i { when collisions > 2 until collisions < 1 }',
      'issue i { when collisions > 2 for 2 evaluations }',
    ];
    expect(new Set(forms.map(identity)).size).toBe(forms.length);
    expect(identity('issue i { for one in agent when one.collisions > 2 }')).toBe(identity(forms[1] ?? ''));
  });

  test('explain names subjects, end and definitions', () => {
    const edl = `${gap} issue i "Lost" { for a in agent when a.gap > 1 m until a.collisions < 1 for 2 evaluations }`;
    const result = explain(environmentOf(edl, 'pursuit'), testHost());
    expect('text' in result ? result.text : JSON.stringify(result)).toContain(
      [
        'issue i: Lost',
        '  for a in agent, each by itself: when a.gap > 1 m, for 2 evaluations in a row',
        '  once raised, until a.collisions < 1',
        '  collisions: per episode',
        '  gap: declared in this text',
      ].join('\n'),
    );
  });

  test.each([
    ['issue i { for a in agent when a.coverage > 1 }', 'EDL310', 'a.coverage', "write 'coverage' alone"],
    ['issue i { for a in agent when a.colisions > 1 }', 'EDL208', 'colisions', "did you mean 'collisions'?"],
    [
      'issue i { for a in agent when a.speed > 1 m/s }',
      'EDL208',
      'speed',
      "unknown metric of an agent 'speed'",
    ],
    ['issue i { when agnet.collisions > 1 }', 'EDL202', 'agnet', "did you mean 'agent'?"],
    ['issue i { when agent.cont > 1 }', 'EDL208', 'cont', "did you mean 'count'?"],
    ['issue i { for l in landmark when collisions > 1 }', 'EDL308', 'landmark', 'no metric is about'],
    ['issue i { for leader in leader when collisions > 1 }', 'EDL308', 'leader', 'an agent that changes'],
    ['issue i { for a in agent when a > 1 }', 'EDL301', 'a', 'must be a number'],
    ['issue i { for collisions in agent when collisions > 1 }', 'EDL211', 'collisions', 'already a metric'],
    [`${gap} issue i { for gap in agent when gap.gap > 1 m }`, 'EDL211', 'gap', 'a metric of this text'],
    [
      'issue i { when collisions > 1 for 2 evaluations until collisions < 1 for 2 evaluations }',
      'EDL503',
      'for 2 evaluations',
      'twice',
    ],
  ])('refuses %s with %s', (edl, code, at, says) => {
    expectRefusal(edl, code, at, says, 'pursuit');
  });

  test('warns where the bounds of a metric decide', () => {
    const { diagnostics } = compile(
      environmentOf('issue i { for a in agent when a.collisions < 0 }'),
      testHost(),
    );
    expect(diagnostics.map((d) => [d.code, d.message])).toEqual([
      ['EDL502', 'the condition never holds within the bounds of the metrics'],
    ]);
  });
});
