import { describe, expect, test } from 'vitest';
import { accepted, expectMisuse, type Misuse } from '../../../support/edl-checks.ts';

const rule = (condition: string): string => `rule r { for a in agent when ${condition} then a.accel *= 2 }`;

const misuses: Misuse[] = [
  ['EDL218', rule('a.hit(agent_0)'), "no relation 'hit'", 'hits'],
  ['EDL218', rule('a.speed(agent_0) > 1'), "'speed' is an attribute, written without brackets"],
  ['EDL312', rule('zone_0.hits(a)'), 'is asked of agents'],
  ['EDL312', rule('a.hits(zone_0)'), 'relates to agents, not to landmarks'],
  ['EDL312', rule('a.path_length(zone) < 2 m'), 'it needs one entity, as in path_length(nearest(zone))'],
  ['EDL304', rule('a.hits()'), 'takes one argument, not 0'],
  ['EDL304', rule('a.hits(agent_0, agent_1)'), 'takes one argument, not 2'],
  ['EDL202', rule('b.hits(a)'), "unknown entity 'b'"],
  ['EDL302', rule('a.path_length(zone_0) < 2 s'), 'cannot be compared'],
  ['EDL208', 'issue i { when agent_0.hits(agent_1) }', 'issues and stages see metrics'],
];

describe('elaborateMethod', () => {
  test.each(misuses)('refuses with %s: %s', (...misuse) => {
    expectMisuse(misuse);
  });

  test('a relation to a set holds where it holds to any member', () => {
    const short = accepted(rule('a.hits(ally(a))'));
    const long = accepted(rule('any(b in ally(a) where a.hits(b))'));
    expect(short.identity).toBe(long.identity);
  });

  test('is asked of what is nearest as of a named entity', () => {
    const { ir } = accepted(rule('nearest(adversary).sees(a)'));
    expect(ir.rules[0]?.condition).toMatchObject({ op: 'relation', name: 'sees', from: { op: 'nearest' } });
  });
});
