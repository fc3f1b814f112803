import { describe, expect, test } from 'vitest';
import { arenaHost } from '../../../support/edl-arena.ts';
import { accepted, diagnosed, expectMisuse, type Misuse } from '../../../support/edl-checks.ts';

const misuses: Misuse[] = [
  ['EDL205', 'capacity adversry 3', "unknown set whose size can change 'adversry'", 'adversary'],
  ['EDL205', 'capacity agent 3', "unknown set whose size can change 'agent'"],
  ['EDL401', 'capacity adversary 99', 'a whole number from 1 to 8', '8'],
  ['EDL401', 'capacity adversary 2.5', 'a whole number', '3'],
  ['EDL409', 'capacity adversary 2 set adversary.count = 3', 'beyond the capacity of'],
  ['EDL210', 'set adversary.capacity = 4 capacity adversary 3', 'is set already'],
  ['EDL209', 'capacity adversary 3 capacity adversary 4', 'declared twice'],
];

describe('capacityKind', () => {
  test.each(misuses)('refuses with %s: %s', (...misuse) => {
    expectMisuse(misuse);
  });

  test('lays the shapes out for the capacity', () => {
    const environment = accepted('capacity adversary 4');
    expect(environment.spec.parameters).toEqual({ 'adversary.capacity': 4 });
    expect(environment.capacities).toEqual({ adversary: 4 });
    expect(environment.manifest.numAgents).toBe(6);
  });

  test('without one the count is the capacity', () => {
    expect(accepted('set adversary.count = 2').capacities).toEqual({ adversary: 2 });
  });

  test('what a run has fixed is simulated, and is no part of the identity', () => {
    const free = accepted('set agent.accel = 3');
    const pinned = accepted('set agent.accel = 3', arenaHost({ adversary: 3 }));
    expect(pinned.spec.parameters).toEqual({ 'agent.accel': 3, 'adversary.capacity': 3 });
    expect(pinned.capacities).toEqual({ adversary: 3 });
    expect(pinned.identity).toBe(free.identity);
  });

  test.each([
    ['capacity adversary 4', 'is fixed at 3 for the run, not 4'],
    ['set adversary.count = 4', '(3, fixed for the run)'],
  ])('refuses what goes beyond what a run has fixed: %s', (body, message) => {
    const [found] = diagnosed(body, arenaHost({ adversary: 3 }));
    expect(found?.code).toBe('EDL409');
    expect(found?.message).toContain(message);
  });
});
