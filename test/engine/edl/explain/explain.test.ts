import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compile } from '../../../../src/engine/edl/compile.ts';
import { explain } from '../../../../src/engine/edl/explain/explain.ts';
import { testHost } from '../../../support/edl-manifests.ts';
import { environmentOf } from '../../../support/edl-text.ts';
import { simHost } from '../../../support/sim-host.ts';

const folder = new URL('../../../../resources/environments/', import.meta.url);

function explained(declarations: string): string {
  const result = explain(environmentOf(declarations), testHost());
  if (!('text' in result)) throw new Error(JSON.stringify(result.diagnostics));
  return result.text;
}

describe('explain', () => {
  test('says what a setting replaces and its bounds', () => {
    expect(explained('set agent.accel = 4 m/s^2')).toContain(
      'set agent.accel = 4 m/s^2 (the scenario has 5 m/s^2; 0 m/s^2 to 20 m/s^2): push',
    );
  });

  test('says for whom a rule holds and what bounds its effect', () => {
    const text = explained(
      'rule quick "Fast start" { for a in agent // all\n when time < 5 steps then a.accel *= 1.3 }',
    );
    expect(text).toContain(
      'rule quick: Fast start\n  for a in agent, when time < 5 steps:\n  then a.accel *= 1.3, held within 0 m/s^2 to 20 m/s^2',
    );
  });

  test('gives weight, decay and limit of a reward in reward units', () => {
    const text = explained(
      'reward near { for a in agent give 0.5 to a decay half every 200k steps limit 10% of nominal }',
    );
    expect(text).toContain('weight 1 at first, halved every 200k training steps');
    expect(text).toContain('at most 0.5 a step, 12.5 over an episode of 25 steps');
    expect(text).toContain('limited to 2.5 per agent and episode (10% of nominal 25)');
  });

  test('says that a reward without limit has none', () => {
    expect(explained('reward near { give 0.5 to agent }')).toContain(
      'no limit (the nominal return is 25 per agent)',
    );
  });

  test('defines the metrics of an issue', () => {
    const text = explained('issue low "Nothing is covered" { when coverage < 50% for 3 evaluations }');
    expect(text).toContain('when coverage < 50%, for 3 evaluations in a row\n  coverage: covered landmarks');
  });

  test('names cost and identity', () => {
    const text = explained('reward near { give 0.5 to agent }');
    expect(text).toMatch(
      /Cost: 7 instructions per step and copy, of at most 20000\n {2}20 to 30 ns where that was measured .*; `gymwright sim speed --edl FILE` measures it here\nIdentity: [0-9a-f]{64}\n$/,
    );
  });

  test('sums up what differs, or that nothing does', () => {
    expect(explained('mission "x" set agent.accel = 4 rule r { then agent.accel *= 2 }')).toContain(
      '\nIt differs from the scenario by 1 parameter and 1 rule.\nWho plays: agent (3 agents) is left to a learner.\n',
    );
    expect(explained('mission "x"')).toContain('\nIt is the scenario as it stands.\n');
    expect(explained('')).toContain('\nCost: nothing beside the scenario itself\n');
  });

  test('tells the cost part by part', () => {
    const text = explained(
      'rule r { then agent.accel *= 2 } metric m { mean over a in agent of a.speed unit m/s }',
    );
    expect(text).toMatch(/Cost: \d+ instructions .*\n {2}rules \d+, metrics and violations \d+\n/);
  });

  test('says who plays a group that npcs control', () => {
    const text = 'environment x extends capture { npc raider { control blue otherwise patrol } }';
    const result = explain(text, simHost());
    expect('text' in result && result.text).toContain(
      'Who plays: red (3 agents) is left to a learner; blue (3 agents) is played by npc raider.',
    );
  });

  test.each(readdirSync(folder))('has something to say about every declaration of %s', (name) => {
    const host = {
      ...simHost(),
      text: (base: string) => ({ path: base, text: readFileSync(new URL(base, folder), 'utf8') }),
    };
    const text = readFileSync(new URL(name, folder), 'utf8');
    const result = explain(text, host, name);
    if (!('text' in result)) throw new Error(JSON.stringify(result.diagnostics));
    const { environment } = compile(text, host, name);
    for (const { kind, name: declared, doc } of environment?.declarations ?? []) {
      const headline = kind === 'mission' ? `Mission: ${doc}` : `${kind} ${declared}`.trim();
      expect(
        result.text.split('\n').some((line) => line.startsWith(headline)),
        headline,
      ).toBe(true);
    }
    expect(result.text).not.toMatch(/undefined|NaN|\[object/);
  });

  test('answers a text with errors with them', () => {
    const result = explain(environmentOf('set agent.acc = 4'), testHost());
    expect('diagnostics' in result ? result.diagnostics.map((d) => d.code) : []).toEqual(['EDL203']);
  });
});
