import { describe, expect, test } from 'vitest';
import { compile, explain } from '../../../../src/engine/edl/index.ts';
import { scenarioManifest } from '../../../../src/engine/sim/index.ts';
import { simHost } from '../../../support/sim-host.ts';

const host = simHost();
const compiled = (...lines: string[]) =>
  compile(`environment e extends skirmish {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`, host);
const problemsOf = (...lines: string[]) =>
  compiled(...lines).diagnostics.map(({ code, message }) => `${code} ${message}`);
const indexOf = (parameter: string, name: string) =>
  scenarioManifest('skirmish')
    .parameters.find((each) => each.name === parameter)
    ?.choices.indexOf(name);

describe('a parameter that is a choice', () => {
  test('is set by the name of one, as a word or quoted', () => {
    const { environment, diagnostics } = compiled('set map = "2s3z"', 'set enemy.tactics = focus');
    expect(diagnostics).toEqual([]);
    expect(environment?.spec.parameters).toMatchObject({
      map: indexOf('map', '2s3z'),
      'enemy.tactics': indexOf('enemy.tactics', 'focus'),
    });
    expect(environment?.manifest.numAgents).toBe(10);
    const quoted = compiled('set enemy.tactics = "focus"').environment;
    expect(quoted?.identity).toBe(compiled('set enemy.tactics = focus').environment?.identity);
  });

  test('is told by name', () => {
    const text = 'environment e extends skirmish { set enemy.tactics = focus }';
    expect(JSON.stringify(explain(text, host))).toContain(
      'set enemy.tactics = focus (the scenario has closest)',
    );
  });

  test('who plays where nobody says otherwise is told too', () => {
    expect(JSON.stringify(explain('environment e extends skirmish {}', host))).toContain(
      'enemy (3 agents) is played by the built-in policy tactics unless an experiment names another',
    );
  });

  test.each([
    ['set map = "4m"', 'map is one of "3m", "8m", "25m", "2s3z"'],
    ['set enemy.tactics = focused', 'enemy.tactics is one of closest, focus, kite'],
    ['set enemy.tactics = true', 'enemy.tactics is one of closest, focus, kite'],
    ['set enemy.tactics = 1', 'enemy.tactics is one of closest, focus, kite'],
    ['set enemy.damage = "much"', 'enemy.damage is a number'],
    ['set walls.lethal = "no"', 'walls.lethal is true or false'],
  ])('refuses %s', (line, message) => {
    const [problem, ...more] = problemsOf(line);
    expect(problem).toContain('EDL307');
    expect(problem).toContain(message);
    expect(more).toEqual([]);
  });

  test('a name that is nearly one is suggested', () => {
    expect(compiled('set enemy.tactics = focuss').diagnostics[0]?.suggestions).toContain('focus');
    expect(compiled('set map = "2s3zz"').diagnostics[0]?.suggestions).toContain('"2s3z"');
  });

  test('a regime sets it where it is live, and refuses what does not go together', () => {
    const schedule = 'schedule { start calm at step 5 enter other leave after 5 steps }';
    const other = (setting: string) => `regime other { set ${setting} }`;
    const calm = 'regime calm default';
    expect(problemsOf(calm, other('enemy.type = zealot'), schedule)).toEqual([]);
    expect(problemsOf(calm, other('map = "8m"'), schedule)[0]).toContain('EDL406');
    expect(problemsOf(calm, other('enemy.type = mortar'), schedule)[0]).toContain('units.special');
  });
});
