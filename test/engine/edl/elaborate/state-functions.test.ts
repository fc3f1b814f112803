import { describe, expect, test } from 'vitest';
import { accepted, expectMisuse, type Misuse } from '../../../support/edl-checks.ts';

const rule = (condition: string): string => `rule r { for a in agent when ${condition} then a.accel *= 2 }`;
const gift = 'event gift { every 5 steps spawn supply }';

const misuses: Misuse[] = [
  ['EDL204', rule('inside(a, agent_0)'), 'has no radius'],
  ['EDL304', rule('inside(zone_0)'), 'inside takes 2 arguments'],
  ['EDL216', `${gift} ${rule('recent(gfit, 5 steps)')}`, "unknown event of this environment 'gfit'", 'gift'],
  ['EDL216', rule('recent(supply, 5 steps)'), "unknown event of this environment 'supply'"],
  ['EDL303', `${gift} ${rule('recent(gift, 5)')}`, 'write its unit'],
  ['EDL505', `${gift} ${rule('recent(gift, 0 steps)')}`, 'at least 1 step'],
  ['EDL208', `${gift} issue i { when recent(gift, 5 steps) }`, 'issues and stages see metrics'],
  ['EDL220', 'rule r { for b in adversary then b.charge *= 2 }', 'only members of agent'],
  ['EDL220', rule('adversary_0.charge > 0.5'), 'adversary_0 has none'],
];

describe('inside, recent and attributes of some', () => {
  test.each(misuses)('refuses with %s: %s', (...misuse) => {
    expectMisuse(misuse);
  });

  test('inside a zone is no farther from it than its radius', () => {
    const short = accepted(rule('inside(a, zone_0)'));
    expect(accepted(rule('distance(a, zone_0) <= zone_0.radius')).identity).toBe(short.identity);
  });

  test('inside a set of zones is inside any of them', () => {
    const short = accepted(rule('inside(a, zone)'));
    expect(accepted(rule('any(z in zone where inside(a, z))')).identity).toBe(short.identity);
  });

  test('seconds and steps say the same', () => {
    const steps = accepted(`${gift} ${rule('recent(gift, 8 steps)')}`);
    expect(accepted(`${gift} ${rule('recent(gift, 4 s)')}`).identity).toBe(steps.identity);
  });
});
