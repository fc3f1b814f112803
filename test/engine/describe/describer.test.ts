import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type DescriberState,
  describeReadings,
  type Readings,
} from '../../../src/engine/describe/describe-readings.ts';
import { checkTemplate, createDescriber, type Describer } from '../../../src/engine/describe/describer.ts';
import type { Slot } from '../../../src/engine/describe/template.ts';
import { openTemplates } from '../../../src/engine/describe/template-files.ts';
import { compile } from '../../../src/engine/edl/index.ts';
import { createVecEnv, scenarioManifest } from '../../../src/engine/sim/index.ts';
import type { VecEnv } from '../../../src/shared/rl/vec-env.ts';
import { CounterRng } from '../../../src/shared/std/rng.ts';
import { simHost } from '../../support/sim-host.ts';

const edlHost = simHost();
const host = { compile: (text: string) => compile(text, edlHost), manifest: scenarioManifest, createVecEnv };
const shipped = openTemplates(null);
const open: { dispose(): void }[] = [];

afterEach(() => {
  for (const each of open.splice(0)) each.dispose();
});

/** Who plays, so that something happens. */
const players: Readonly<Record<string, Record<string, string>>> = {
  simple_spread: { agent: 'random' },
  simple_adversary: { adversary: 'to_midpoint', good: 'to_goal' },
  simple: { agent: 'random' },
  simple_push: { adversary: 'shadow', good: 'to_goal' },
  simple_reference: { agent: 'tell_and_go' },
  simple_speaker_listener: { speaker: 'tell', listener: 'go' },
  simple_crypto: { eve: 'random', bob: 'decode', alice: 'encode' },
  simple_tag: { adversary: 'chase', good: 'flee' },
  simple_world_comm: { leader: 'chase', adversary: 'chase', good: 'forage' },
  capture: { red: 'bold', blue: 'steady' },
  foraging: { agent: 'forage' },
};
const scenarios = Object.keys(players);

function openDescriber(scenario: string, parameters: Record<string, number> = {}): Describer {
  const describer = createDescriber({ scenario, parameters }, shipped.read(scenario), host);
  open.push(describer);
  return describer;
}

function openEnv(scenario: string, parameters: Record<string, number> = {}): VecEnv {
  const spec = { scenario, parameters, program: null, scripted: players[scenario] ?? {} };
  const env = createVecEnv(spec, { numEnvs: 3, seed: 4n, firstEpisode: 0 });
  open.push(env);
  return env;
}

function stepOn(env: VecEnv, steps = 1): void {
  const actions = new Int32Array(env.numEnvs * env.numAgents);
  for (let step = 0; step < steps; step++) env.step(actions);
}

/** The same readings, shaken by up to nine tenths of what each slot tells nothing of. */
function shake(slots: readonly Slot[], readings: Readings, rng: CounterRng): Readings {
  const shaken: Record<string, number | readonly number[]> = { ...readings };
  for (const { scale, trend, readings: parts } of slots) {
    const [part] = parts;
    const reading = part === undefined ? undefined : readings[part.key];
    if (part === undefined || reading === undefined || parts.length > 1) continue;
    const room = 0.9 * Math.min(scale.margin, trend === null ? Number.POSITIVE_INFINITY : trend.step / 2);
    const noisy = (value: number): number => value + (2 * rng.nextFloat() - 1) * room;
    shaken[part.key] = typeof reading === 'number' ? noisy(reading) : reading.map(noisy);
  }
  return shaken;
}

describe('createDescriber', () => {
  test.each(scenarios)('the shipped template of %s tells an episode, and not every step anew', (scenario) => {
    const describer = openDescriber(scenario);
    const env = openEnv(scenario);
    const texts: string[] = [];
    let state: DescriberState | null = null;
    for (let step = 0; step < env.manifest.episodeLength; step++) {
      const next = describer.describe({ env, copy: 1 }, state);
      texts.push(next.text);
      state = next.state;
      stepOn(env);
    }
    const changes = texts.filter((text, step) => text !== texts[step - 1]).length;
    expect(changes).toBeGreaterThan(2);
    expect(changes).toBeLessThan(texts.length);
    for (const text of texts) {
      expect(text).not.toMatch(/\{\{|undefined|NaN|Infinity/);
      expect(text.length).toBeLessThan(1500);
    }
  });

  test.each(scenarios)(
    'in %s what is below the thresholds leaves the text as it is, a real change does not',
    (scenario) => {
      const describer = openDescriber(scenario);
      const env = openEnv(scenario);
      const agents = env.manifest.groups.flatMap((group) => group.agents);
      const { template } = describer;
      const rng = new CounterRng(7n, 0);
      let changes = 0;
      for (let moment = 0; moment < 5; moment++) {
        const readings = describer.read({ env, copy: 2 });
        // What has moved lately is told for a while: it has settled before the text is looked at.
        let { state } = describeReadings(template, agents, readings, null);
        for (let i = 0; i < 20; i++) ({ state } = describeReadings(template, agents, readings, state));
        const { text } = describeReadings(template, agents, readings, state);
        for (let i = 0; i < 50; i++) {
          const next = describeReadings(template, agents, shake(template.slots, readings, rng), state);
          expect(next.text).toBe(text);
          state = next.state;
        }
        stepOn(env, Math.floor(env.manifest.episodeLength / 8));
        if (describer.describe({ env, copy: 2 }, state).text !== text) changes++;
      }
      expect(changes).toBeGreaterThanOrEqual(3);
    },
  );

  test('a snapshot tells the same as the copy it was taken of, and the same twice', () => {
    const describer = openDescriber('capture');
    const env = openEnv('capture');
    stepOn(env, 40);
    const first = describer.describe({ env, copy: 0 }, null);
    expect(describer.describe(env.snapshot(0), null)).toEqual(first);
    expect(describer.describe({ env, copy: 1 }, null).text).not.toBe(first.text);
    expect(describer.describe(env.snapshot(0), null)).toEqual(first);
  });

  test('describing changes nothing in the environment that is described', () => {
    const describer = openDescriber('capture');
    const env = openEnv('capture');
    const before = env.stateHash();
    describer.describe({ env, copy: 0 }, null);
    expect(env.stateHash()).toBe(before);
  });

  test('parameters decide how many agents there are to tell of', () => {
    const parameters = { 'agent.count': 5 };
    const describer = openDescriber('simple_spread', parameters);
    const { text } = describer.describe({ env: openEnv('simple_spread', parameters), copy: 0 }, null);
    expect(text).toContain('5 agents for 5 landmarks');
    expect(text.split('\n').filter((line) => line.startsWith('agent_'))).toHaveLength(5);
  });

  test('capacities make room for those who are not there, and nobody tells of them', () => {
    const parameters = { 'red.assault.count': 1, 'red.assault.capacity': 3 };
    const describer = openDescriber('capture', parameters);
    const { text } = describer.describe({ env: openEnv('capture', parameters), copy: 0 }, null);
    expect(text).toContain('Red has 1 assault unit and 1 support unit alive');
    expect(text.match(/^red_assault_\d/gm)).toEqual(['red_assault_0']);
  });

  test('a state of another environment is refused', () => {
    const describer = openDescriber('simple_spread');
    const env = openEnv('simple_adversary');
    expect(() => describer.describe({ env, copy: 0 }, null)).toThrow(
      expect.objectContaining({ code: 'sim.badSnapshot' }),
    );
  });
});

test('the template in the documentation is sound', () => {
  const page = readFileSync('docs/scenarios/describers.md', 'utf8');
  const text = /```yaml\n([^`]*)```/.exec(page)?.[1] ?? '';
  expect(checkTemplate({ scenario: 'simple_spread', parameters: {} }, { path: 'docs', text }, host)).toEqual(
    [],
  );
});

describe('a template with faults', () => {
  const environment = { scenario: 'simple_spread', parameters: {} };
  const check = (slot: string, text = 'text: [x]') =>
    checkTemplate(
      environment,
      { path: 't.yaml', text: `scenario: simple_spread\nslots:\n  a: {count: 1}\n${slot}\n${text}\n` },
      host,
    );

  test('an EDL name that is unknown is told with its line and the nearest one', () => {
    const [problem] = check('  way:\n    number: mean over l in landmrk of l.x\n    unit: m\n    step: 0.1');
    expect(problem).toMatchObject({ line: 5, place: 'slots.way.number' });
    expect(problem?.message).toMatch(/EDL2\d\d .*landmrk.*landmark/);
  });

  test('a loop over no set and a unit that does not fit are told where they stand', () => {
    expect(check('  way:\n    for: a in agnt\n    number: a.x\n    unit: m\n    step: 0.1')).toMatchObject([
      { line: 5, place: 'slots.way.for' },
    ]);
    expect(check('  way:\n    number: time\n    unit: m\n    step: 0.1')[0]?.message).toMatch(/^EDL/);
  });

  test('an expression cannot reach out of its slot', () => {
    const [problem] = check('  way:\n    count: "1 } rule x { for a in agent then a.accel *= 2"');
    expect(problem?.message).toMatch(/reaches beyond its slot|EDL/);
  });

  test('a template of another scenario is refused', () => {
    const text = 'scenario: capture\nslots: {a: {count: 1}}\ntext: [x]\n';
    expect(checkTemplate(environment, { path: 't.yaml', text }, host)[0]?.message).toBe(
      'the template is for capture, the environment is one of simple_spread',
    );
  });

  test('createDescriber throws with every problem, its path and its line', () => {
    const text = readFileSync('resources/describers/simple_spread.yaml', 'utf8')
      .replaceAll('landmark of', 'landmarc of')
      .replace('unit: m/s', 'unit: m');
    const source = { path: 'describers/mine.yaml', text };
    let thrown: unknown;
    try {
      createDescriber(environment, source, host);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: 'input.invalid' });
    expect(String(thrown)).toMatch(/describers\/mine\.yaml:\d+:\d+ EDL2\d\d .*landmark/);
  });
});
