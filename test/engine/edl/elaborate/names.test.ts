import { describe, expect, test } from 'vitest';
import { compile } from '../../../../src/engine/edl/compile.ts';
import { arenaHost } from '../../../support/edl-arena.ts';
import { environmentOf, pointedAt } from '../../../support/edl-text.ts';

/** One declaration of each kind that has a name, under the name given. */
const kinds: Readonly<Record<string, (name: string) => string>> = {
  rule: (name) => `rule ${name} { then agent.accel *= 2 }`,
  reward: (name) => `reward ${name} { give 1 to agent }`,
  event: (name) => `event ${name} { every 20 steps disturb push agent }`,
  npc: (name) => `npc ${name} { control adversary otherwise hold }`,
  constraint: (name) => `constraint ${name} { never time > 3 steps }`,
  metric: (name) => `metric ${name} { time unit s }`,
  issue: (name) => `issue ${name} { when coverage < 50% }`,
  stage: (name) => `stage ${name} { set agent.accel = 3 }`,
  regime: (name) => `regime ${name} default`,
};
const inProgram = ['rule', 'reward', 'event', 'npc', 'constraint', 'metric'];
const names = Object.keys(kinds);

function errorsOf(edl: string): { code: string; at: string; message: string }[] {
  const text = environmentOf(edl, 'arena');
  return compile(text, arenaHost())
    .diagnostics.filter(({ severity }) => severity === 'error')
    .map((diagnostic) => ({ ...diagnostic, at: pointedAt(text, diagnostic) }));
}

const declare = (kind: string, name: string): string => kinds[kind]?.(name) ?? '';

describe('refuseNames', () => {
  test.each(names.flatMap((one) => names.map((other) => [one, other] as const)))(
    'a %s and a %s of one name clash where both are reported by it, or are of one kind',
    (one, other) => {
      const doClash = one === other || (inProgram.includes(one) && inProgram.includes(other));
      const clashes = errorsOf(`${declare(one, 'twin')}\n${declare(other, 'twin')}`).filter(
        ({ code }) => code === 'EDL209',
      );
      expect(clashes.map(({ at }) => at)).toEqual(doClash ? ['twin'] : []);
      if (doClash && one !== other) expect(clashes[0]?.message).toContain(`(as ${one} and ${other})`);
    },
  );

  test.each(names)(
    'a %s may have the name of a component or a metric only where nothing is reported by its own',
    (kind) => {
      const codes = (name: string) => errorsOf(declare(kind, name)).map(({ code }) => code);
      const isReported = inProgram.includes(kind);
      expect(codes('collision')).toEqual(isReported ? ['EDL212'] : []);
      expect(codes('coverage')).toEqual(isReported ? ['EDL214'] : []);
      expect(codes('constraint_violations')).toEqual(isReported ? ['EDL214'] : []);
    },
  );

  test('two schedules, missions or capacities of one set are one too many', () => {
    const clashing = [
      'mission "a" mission "b"',
      'capacity adversary 2 capacity adversary 3',
      'regime calm default regime storm { set agent.accel = 2 } schedule { at step 5 enter storm } schedule { at step 9 enter storm }',
    ];
    for (const edl of clashing) expect(errorsOf(edl).map(({ code }) => code)).toContain('EDL209');
  });
});
