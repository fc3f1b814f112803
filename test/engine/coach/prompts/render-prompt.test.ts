import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkPromptText } from '../../../../src/engine/coach/prompts/check-prompt.ts';
import { openPrompts } from '../../../../src/engine/coach/prompts/prompt-files.ts';
import { parsePrompt } from '../../../../src/engine/coach/prompts/render-prompt.ts';
import { buildSnapshot } from '../../../../src/engine/coach/snapshot/build-snapshot.ts';
import { describeSnapshot } from '../../../../src/engine/coach/snapshot/describe-snapshot.ts';
import { coachDependencies, roundContext } from '../../../support/coach-world.ts';
import { thrownBy } from '../../../support/error-code.ts';

const prompts = openPrompts('.');
const reason = { trigger: 'issue', detail: 'firing: uncovered' } as const;
const text = () => describeSnapshot(buildSnapshot(roundContext(), reason, coachDependencies().store));
const values = (changes: Partial<ReturnType<typeof text>> & { examples?: string; cut?: string } = {}) => ({
  ...{ ...text(), tried: false, examples: '', cut: '', snapshot: true },
  ...changes,
});

describe('the shipped prompts', () => {
  test('the ranking prompt shows snapshot, question and options', () => {
    const { path, text: file } = prompts.read(null, 'rank');
    const rendered = parsePrompt(path, file, 'rank').render({
      ...values(),
      question: 'Which?',
      options: '- one\n- two',
    });
    expect(rendered).toContain('Mission: Cover the landmarks');
    expect(rendered).toContain(
      '- uncovered "Landmarks stay uncovered": coverage < 40% for 3 evaluations (coverage = 0.1)',
    );
    expect(rendered).toMatch(/Which\?\n- one\n- two\nBest choice:\s*$/);
  });

  test('the ranking prompt without snapshot holds nothing of it', () => {
    const { path, text: file } = prompts.read(null, 'rank');
    const rendered = parsePrompt(path, file, 'rank').render({
      ...values({ works: '- it works', failures: '- it failed', examples: '- it helped', cut: 'much' }),
      snapshot: false,
      question: 'Which?',
      options: '- one',
    });
    expect(rendered).not.toContain('crowding');
    expect(rendered).toContain('Nothing is known');
    expect(rendered).not.toMatch(/it works|it failed|it helped|much/);
  });

  test('the generating prompt shows the environment, the capabilities and why an answer was refused', () => {
    const { path, text: file } = prompts.read(null, 'generate');
    const rendered = parsePrompt(path, file, 'generate').render({
      ...values(),
      environment: 'environment spread …',
      maxChanges: '2',
      rejections: '- it never fires',
    });
    expect(rendered).toContain('environment spread …');
    expect(rendered).toContain('- it never fires');
    expect(rendered).toMatch(/set agent\.accel \[m\/s\^2\] now 4/);
  });
});

describe('both shipped prompts', () => {
  const render = (mode: 'rank' | 'generate', changes: Parameters<typeof values>[0]): string => {
    const { path, text: file } = prompts.read(null, mode);
    const own = { question: 'Which?', options: '- one', environment: 'e', maxChanges: '2', rejections: '' };
    return parsePrompt(path, file, mode).render({ ...values(changes), ...own, tried: true });
  };

  test.each(['rank', 'generate'] as const)(
    '%s shows what works, what failed, examples, findings, and what was cut',
    (mode) => {
      const sections = {
        ...{ works: '- kept well', failures: '- dull, round 1: it sleeps', undecided: '- open' },
        ...{ examples: '- helped elsewhere', findings: '- success is 0', cut: 'past: 1 of 2 lines' },
      };
      const rendered = render(mode, sections);
      for (const told of Object.values(sections)) expect(rendered).toContain(told);
    },
  );

  test.each(['rank', 'generate'] as const)('%s has no headings over nothing', (mode) => {
    const nothing = { works: '', failures: '', undecided: '', examples: '', findings: '', cut: '' };
    expect(render(mode, nothing)).not.toMatch(
      /keep it|Preserve|[Ff]ailed\.|other studies|figures say|for length/,
    );
  });
});

describe('parsePrompt', () => {
  test('is named by the hash of its text', () => {
    const a = parsePrompt('p.md', '{{question}} {{options}}', 'rank');
    const b = parsePrompt('p.md', '{{question}}  {{options}}', 'rank');
    expect(a.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(a.hash).not.toBe(b.hash);
  });

  test('knows which variables it uses, those of sections too', () => {
    const prompt = parsePrompt('p.md', '{{question}} {{options}} {{#works}}{{past}}{{/works}}', 'rank');
    expect(['works', 'past', 'failures'].map((name) => prompt.uses(name))).toEqual([true, true, false]);
  });

  test('a file with the variables of an earlier version is as good as ever', () => {
    const names =
      'mission objective progress issues agents components metrics declarations capabilities past'.split(' ');
    const file = names.map((name) => `{{${name}}}`).join('\n');
    const prompt = parsePrompt('p.md', `${file}{{#snapshot}}{{question}}{{/snapshot}}{{options}}`, 'rank');
    const rendered = prompt.render({ ...text(), snapshot: true, question: 'Which?', options: '- one' });
    expect(rendered).toContain('Cover the landmarks');
  });

  test('refuses a ranking prompt without its options', () => {
    expect(thrownBy(() => parsePrompt('p.md', '{{question}}', 'rank')).code).toBe('prompt.invalid');
  });
});

describe('checkPromptText', () => {
  test('finds nothing in the shipped prompts', () => {
    for (const name of ['small/rank', 'large/generate']) {
      expect(checkPromptText(readFileSync(`resources/prompts/${name}.md`, 'utf8'))).toEqual([]);
    }
  });

  test('reports an unknown variable in words', () => {
    expect(checkPromptText('{{environment}} {{misson}}')).toEqual([
      expect.stringContaining('unknown variable "misson"'),
    ]);
  });
});

describe('openPrompts', () => {
  test('a prompt file that is not there is prompt.invalid with its path', () => {
    const error = thrownBy(() => prompts.read('prompts/none.md', 'rank'));
    expect(error.code).toBe('prompt.invalid');
    expect(error.message).toContain('prompts/none.md');
  });
});
