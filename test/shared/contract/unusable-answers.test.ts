import { expect, test } from 'vitest';
import {
  type AnswerOutcome,
  describeRowsUnusable,
  describeUnusable,
  findUnusable,
} from '../../../src/shared/contract/unusable-answers.ts';

const failed = (code: string, message = `it is ${code}`): AnswerOutcome => ({
  state: 'failed',
  failure: { code, message },
  validation: null,
});
const reason = (code: string, severity: 'error' | 'warning') => ({ code, severity, message: `so ${code}` });
const invalid: AnswerOutcome = {
  state: 'invalid',
  failure: null,
  validation: { isValid: false, reasons: [reason('losesSuccess', 'warning'), reason('traps', 'error')] },
};
const valid: AnswerOutcome = { state: 'rejected', failure: null, validation: { isValid: true, reasons: [] } };
const open: AnswerOutcome = { state: 'asked', failure: null, validation: null };

test('findUnusable names what came most often, failures of the coach and of the validator alike', () => {
  const broken = failed('model.invalid', 'the file is cut off');
  expect(findUnusable([failed('model.timeout'), broken, broken])).toEqual({
    ...{ count: 2, code: 'model.invalid', message: 'the file is cut off' },
  });
  expect(findUnusable([invalid, invalid, broken])).toEqual({ count: 2, code: 'traps', message: 'so traps' });
});

test('findUnusable says nothing where one was valid, one is awaited, or nobody failed', () => {
  for (const others of [[valid], [open]])
    expect(findUnusable([failed('model.invalid'), ...others])).toBeNull();
  expect(findUnusable([failed('coach.noProposal'), failed('coach.noProposal')])).toBeNull();
  expect(findUnusable([])).toBeNull();
});

test('it is told in one line', () => {
  const found = { count: 10, code: 'model.invalid', message: 'the file\nis cut off.' };
  expect(describeUnusable("a's coach", found)).toBe(
    "No answer of a's coach was usable; most often (10×): the file is cut off (model.invalid).",
  );
  const row = { arm: 'a', provider: 'llama' };
  expect(describeRowsUnusable([row, { ...row, unusable: found }])).toEqual([
    expect.stringMatching(/^No answer of a's coach \(llama\) was usable/),
  ]);
});
