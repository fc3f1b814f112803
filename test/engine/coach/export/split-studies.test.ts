import { describe, expect, test } from 'vitest';
import {
  gatherFamilies,
  type SplitStudy,
  splitStudies,
} from '../../../../src/engine/coach/export/split-studies.ts';

const study = (studyId: string, keys: readonly string[], examples = 10): SplitStudy => ({
  studyId,
  keys,
  examples,
});

describe('gatherFamilies', () => {
  test('what is shared makes kin, also through a third study', () => {
    const families = gatherFamilies([
      study('a', ['e1']),
      study('b', ['e2']),
      study('c', ['e3']),
      study('d', ['e1', 'e2']),
    ]);
    expect(families.map((family) => family.map(({ studyId }) => studyId))).toEqual([['a', 'b', 'd'], ['c']]);
  });
});

describe('splitStudies', () => {
  const parts = (studies: readonly SplitStudy[], share = 0.8) =>
    studies.map(({ studyId }) => splitStudies(studies, share).get(studyId)?.part);

  test('goes towards its shares, with something to test on from the second family on', () => {
    const studies = Array.from({ length: 20 }, (_, i) => study(`s${i}`, [`e${i}`]));
    expect(parts(studies.slice(0, 2))).toEqual(['train', 'test']);
    expect(parts(studies).filter((part) => part === 'test')).toHaveLength(4);
    expect(parts(studies, 0.5).filter((part) => part === 'test')).toHaveLength(10);
  });

  test('studies added later move no earlier ones', () => {
    const studies = Array.from({ length: 12 }, (_, i) => study(`s${i}`, [`e${i}`], 1 + ((i * 7) % 5)));
    for (let n = 1; n < studies.length; n++) {
      expect(parts(studies.slice(0, n))).toEqual(parts(studies).slice(0, n));
    }
  });

  test('kin stay together, and are named after the oldest', () => {
    const placed = splitStudies([study('a', ['x']), study('b', ['y']), study('c', ['x'])], 0.8);
    expect(placed.get('c')).toEqual({ family: 'a', part: 'train' });
    expect(placed.get('b')).toEqual({ family: 'b', part: 'test' });
  });

  test('a share of everything leaves nothing for the other part', () => {
    const studies = [study('a', ['x']), study('b', ['y'])];
    expect(parts(studies, 1)).toEqual(['train', 'train']);
    expect(parts(studies, 0)).toEqual(['test', 'test']);
  });
});
