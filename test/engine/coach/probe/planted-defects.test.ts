import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPlantedDefects } from '../../../../src/engine/coach/probe/planted-defects.ts';
import { compiled } from '../../../support/coach-world.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const planted = readPlantedDefects('resources/defects/planted.yaml');

describe('readPlantedDefects', () => {
  test('every shipped defect compiles and declares what is said to be wrong', () => {
    for (const { name, text, at, group, objectiveText } of planted) {
      const { declarations, manifest } = compiled(text);
      expect(
        declarations.map(({ target }) => target),
        name,
      ).toContain(at);
      expect(
        manifest.groups.map((each) => each.name),
        name,
      ).toContain(group);
      expect(compiled(objectiveText).declarations).toEqual([]);
    }
  });

  test('every shipped defect is labelled, and nothing else is', () => {
    const labels = readdirSync('resources/defects/labels').map((file) => file.replace('.json', ''));
    expect(labels.sort()).toEqual(planted.map(({ name }) => name).sort());
  });

  test('options are trained in longer where their world says so', () => {
    const path = join(temporaryFolder(), 'planted.yaml');
    const world = '{scenario: simple, group: agent, opponents: {}, mission: m, issue: i';
    writeFileSync(
      path,
      `worlds:\n  quick: ${world}}\n  slow: ${world}, patience: 3}\n` +
        'defects:\n  - {name: a, world: quick, fault: f, at: reward x, text: t}\n' +
        '  - {name: b, world: slow, fault: f, at: reward x, text: t}\n',
    );
    expect(readPlantedDefects(path).map(({ patience }) => patience)).toEqual([1, 3]);
  });

  test('a defect of no known world is refused by name', () => {
    const path = join(temporaryFolder(), 'planted.yaml');
    const defect = '{name: lost, world: nowhere, fault: f, at: reward x, text: t}';
    writeFileSync(path, `worlds: {}\ndefects: [${defect}]\n`);
    expect(() => readPlantedDefects(path)).toThrow('lost is of no known world');
    writeFileSync(path, 'worlds: {}\n');
    expect(() => readPlantedDefects(path)).toThrow('holds no planted defects');
  });
});
