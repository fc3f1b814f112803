import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openKnownAnswers } from '../../../../src/engine/coach/probe/known-answers.ts';
import { thrownBy } from '../../../support/error-code.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const answer = (logProb: number) => ({
  ...{ variants: [[{ logProb, numTokens: 2 }]], promptTokens: 9, scoredTokens: 2, durationMs: 1 },
});

describe('openKnownAnswers', () => {
  test('finds what was kept before, in a folder that it makes', () => {
    const path = join(temporaryFolder(), 'probes', 'answers.jsonl');
    const first = openKnownAnswers(path);
    expect(first.find('a')).toBeNull();
    first.keep('a', answer(-1));
    expect(first.find('a')).toEqual(answer(-1));
    expect(openKnownAnswers(path).find('a')).toEqual(answer(-1));
  });

  test('a line that was cut off is asked again, and costs none of those that come after it', () => {
    const path = join(temporaryFolder(), 'answers.jsonl');
    const before = openKnownAnswers(path);
    for (const key of ['a', 'b']) before.keep(key, answer(-1));
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, -20));
    const after = openKnownAnswers(path);
    expect([after.find('a'), after.find('b')]).toEqual([answer(-1), null]);
    for (const key of ['c', 'b', 'd']) after.keep(key, answer(-2));
    const last = openKnownAnswers(path);
    expect(['a', 'b', 'c', 'd'].map((key) => last.find(key)?.variants[0]?.[0]?.logProb)).toEqual([
      -1, -2, -2, -2,
    ]);
  });

  test('a line with a byte that is no text is left out as one that was cut off', () => {
    const path = join(temporaryFolder(), 'answers.jsonl');
    const before = openKnownAnswers(path);
    for (const key of ['a', 'b', 'c']) before.keep(key, answer(-1));
    const bytes = readFileSync(path);
    bytes[bytes.indexOf('"b"') + 1] = 0xff;
    writeFileSync(path, bytes);
    const after = openKnownAnswers(path);
    expect(['a', 'b', 'c'].map((key) => after.find(key))).toEqual([answer(-1), null, answer(-1)]);
  });

  test.skipIf(process.platform !== 'linux')('a folder that cannot be made is told with what to do', () => {
    const keep = () => openKnownAnswers('/proc/nowhere/answers.jsonl').keep('a', answer(-1));
    expect(thrownBy(keep).code).toBe('workspace.readOnly');
  });
});
