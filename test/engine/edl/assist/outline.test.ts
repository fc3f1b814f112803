import { describe, expect, test } from 'vitest';
import { AssistText, foldingOf, outlineOf } from '../../../../src/engine/edl/assist/index.ts';

const text = `// What this is for,
// in two lines
environment e extends arena {
  mission "Hold" // the points
  set adversary.count = 2
  rule r "Faster" {
    for a in agent
    then a.charge *= 2
  }
  /* a remark
     of two lines */
  schedule {
    every 9 steps enter calm
  }
}
`;

describe('outlineOf', () => {
  test('lists what is declared, in the order of the text', () => {
    const [root] = outlineOf(new AssistText(text));
    expect(root).toMatchObject({ name: 'e', detail: 'extends arena', kind: 'environment' });
    expect(root?.children.map(({ kind, name, detail }) => `${kind}: ${name} (${detail})`)).toEqual([
      'mission: mission (mission · Hold)',
      'set: adversary.count (set)',
      'rule: r (rule · Faster)',
      'schedule: schedule (schedule)',
    ]);
  });

  test('lists what can be made out of a text that is broken', () => {
    const [root] = outlineOf(
      new AssistText('environment e extends arena {\nrule one { for\nreward two {\nissue'),
    );
    expect(root?.children.map(({ name }) => name)).toEqual(['one', 'two', 'issue']);
  });
});

describe('foldingOf', () => {
  test('folds blocks to their first and last line, and comments of several lines', () => {
    const folds = foldingOf(new AssistText(text)).map(
      ({ startLine, endLine, kind }) => `${startLine}-${endLine} ${kind}`,
    );
    expect(folds.sort()).toEqual(['0-1 comment', '11-12 block', '2-13 block', '5-7 block', '9-10 comment']);
  });
});
