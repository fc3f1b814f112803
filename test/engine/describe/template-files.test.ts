import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openTemplates } from '../../../src/engine/describe/template-files.ts';
import { scenarioNames } from '../../../src/engine/sim/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('openTemplates', () => {
  test('every scenario of this build has a shipped template', () => {
    const templates = openTemplates(null);
    for (const scenario of scenarioNames())
      expect(templates.read(scenario).text).toContain(`scenario: ${scenario}`);
  });

  test("a workspace's own template comes before the shipped one, for its scenario only", () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'describers'));
    writeFileSync(join(root, 'describers', 'capture.yaml'), 'mine');
    const templates = openTemplates(root);
    expect(templates.read('capture')).toEqual({
      path: join(root, 'describers', 'capture.yaml'),
      text: 'mine',
    });
    expect(templates.read('simple_spread').text).not.toBe('mine');
  });

  test('a scenario without one is told with what there is and where to put one', () => {
    const root = temporaryFolder();
    for (const name of ['nowhere', '../capture', '']) {
      expect(() => openTemplates(root).read(name)).toThrow(
        expect.objectContaining({ code: 'input.notFound' }),
      );
    }
    expect(() => openTemplates(root).read('nowhere')).toThrow(/there are capture, .*write .*nowhere\.yaml/);
  });
});
