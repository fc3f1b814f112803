import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { shortenings } from '../../../../src/engine/coach/prompts/fit-prompt.ts';
import { openPrompts } from '../../../../src/engine/coach/prompts/prompt-files.ts';
import { parsePrompt } from '../../../../src/engine/coach/prompts/render-prompt.ts';
import {
  promptVariables,
  tabulateVariables,
  variableNames,
} from '../../../../src/engine/coach/prompts/variables.ts';
import { describeSnapshot } from '../../../../src/engine/coach/snapshot/describe-snapshot.ts';
import { snapshotOf } from '../../../support/experience.ts';

const documentation = readFileSync('docs/coach/prompts.md', 'utf8');

describe('promptVariables', () => {
  test('the documented table is that of the sources', () => {
    const table = /<!-- variables -->\n([\s\S]*?)\n<!-- \/variables -->/.exec(documentation)?.[1];
    expect(table).toBe(tabulateVariables());
  });

  test('the documented order of shortening is that of the sources', () => {
    const order = /goes in this order: ([\s\S]*?)\. While/.exec(documentation)?.[1] ?? '';
    expect([...order.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(
      shortenings.map(({ name }) => name),
    );
  });

  test('every text of a snapshot is a variable, and what may be empty is what is empty without findings and past', () => {
    const text = describeSnapshot({ ...snapshotOf(), components: [], metrics: [], past: [], failures: [] });
    for (const [name, value] of Object.entries(text)) {
      const variable = promptVariables.find((each) => each.name === name);
      expect(variable?.isOptional, name).toBe(value === '');
    }
  });

  test('every section that can be shortened is a list', () => {
    for (const { name } of shortenings)
      expect(promptVariables.find((each) => each.name === name)?.type, name).toBe('list');
  });

  test.each(['rank', 'generate'] as const)(
    'the %s prompt may not use variables of the other kind',
    (mode) => {
      const foreign = mode === 'rank' ? 'environment' : 'question';
      expect(variableNames(mode)).not.toContain(foreign);
      const { path, text } = openPrompts('.').read(null, mode);
      expect(() => parsePrompt(path, `${text}{{${foreign}}}`, mode)).toThrow(foreign);
    },
  );
});
