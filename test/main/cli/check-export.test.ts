import { describe, expect, test } from 'vitest';
import { checkExport } from '../../../src/main/cli/check-export.ts';
import { type ExportTexts, layOutExport } from '../../../src/main/cli/export-files.ts';
import type { ExportExample, ExportSummary } from '../../../src/shared/contract/coach-export.ts';

function example(
  study: string,
  change: Partial<ExportExample['source']> = {},
  question = study,
): ExportExample {
  return {
    messages: [
      { role: 'user', content: `what about ${question}?` },
      { role: 'assistant', content: '{"changes":[]}', weight: 1 },
    ],
    task: 'proposal',
    label: 'accepted',
    reasons: [],
    measured: null,
    source: {
      study,
      experiment: `experiment of ${study}`,
      family: study,
      run: `${study}.coached.1`,
      arm: 'coached',
      seed: 1,
      round: 0,
      proposal: `${study}.coached.1-p1-1`,
      provider: 'llama',
      model: 'm',
      author: 'automatic',
      ...change,
    },
  };
}

const told = (study: string, part: 'train' | 'test', environments = [`environment of ${study}`]) => ({
  study,
  family: study,
  part,
  experiment: `experiment of ${study}`,
  environments,
  examples: 1,
});

const summary: ExportSummary = {
  trainShare: 0.8,
  kin: 'environment',
  studies: [told('a', 'train'), told('b', 'test')],
  leftOut: { undecided: 0, noAnswer: 0, notChanges: 0, otherVersion: 0 },
};

const layOut = (
  train: readonly ExportExample[],
  test: readonly ExportExample[],
  studies = summary.studies,
): ExportTexts => layOutExport(train, test, { ...summary, studies });

const problemsOf = (texts: ExportTexts) => checkExport(texts).problems;

describe('checkExport', () => {
  test('finds nothing where parts are apart, and counts', () => {
    expect(checkExport(layOut([example('a')], [example('b')]))).toEqual({
      problems: [],
      numStudies: 2,
      numExamples: { train: 1, test: 1 },
    });
    expect(problemsOf(layOut([], [], []))).toEqual([]);
  });

  test('names a study that is in both parts, with one example of each', () => {
    expect(problemsOf(layOut([example('a')], [example('b'), example('a')]))).toContain(
      'the study a is in both parts: a.coached.1-p1-1 in train, a.coached.1-p1-1 in test',
    );
  });

  test('sees through another name: the same experiment, family, question or environment', () => {
    const hidden = (change: Partial<ExportExample['source']>) =>
      problemsOf(layOut([example('a')], [example('b', change)])).join('\n');
    expect(hidden({ experiment: 'experiment of a' })).toContain('the experiment experiment of a is in both');
    expect(hidden({ family: 'a' })).toContain('the family a is in both');
    expect(problemsOf(layOut([example('a')], [example('b', {}, 'a')]))).toEqual([
      'the question is in both parts: a.coached.1-p1-1 in train, b.coached.1-p1-1 in test',
    ]);
    const studies = [told('a', 'train'), told('b', 'test', ['environment of a'])];
    expect(problemsOf(layOut([example('a')], [example('b')], studies))).toEqual([
      'b (test) and a (train) trained in one environment, environment ',
    ]);
    const allowed = layOutExport([example('a')], [example('b')], { ...summary, studies, kin: 'experiment' });
    expect(problemsOf(allowed)).toEqual([]);
  });

  test('sees a line that was moved, changed, or is not of the study it names', () => {
    const sound = layOut([example('a')], [example('b')]);
    const moved = problemsOf({ ...sound, train: sound.train + sound.test, test: '' });
    expect(moved).toContain('b.coached.1-p1-1 belongs to test, and is in train');
    expect(moved).toContain('train.jsonl is not the file of the manifest');
    expect(problemsOf({ ...sound, test: sound.test.replace('accepted', 'rejected') })).toEqual([
      'test.jsonl is not the file of the manifest',
    ]);
    expect(problemsOf(layOut([example('a')], [example('b', { proposal: 'a.coached.1-p1-1' })]))).toEqual([
      'a.coached.1-p1-1 is no proposal of study b',
    ]);
    expect(problemsOf(layOut([example('z')], [example('b')]))).toEqual([
      'z.coached.1-p1-1: study z is not in the manifest',
    ]);
  });

  test('sees files that are damaged', () => {
    const sound = layOut([example('a')], [example('b')]);
    const cut = problemsOf({ ...sound, train: sound.train.slice(0, -20) });
    expect(cut[0]).toBe('train.jsonl ends within a line: it is cut short');
    expect(cut[1]).toMatch(/^train.jsonl:1 is no example/);
    expect(problemsOf({ ...sound, manifest: '{}' })).toEqual(['manifest.json is no manifest of an export']);
    expect(problemsOf({ ...sound, test: '{"messages": []}\n' })[0]).toMatch(/^test.jsonl:1 is no example \(/);
  });
});
