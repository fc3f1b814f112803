import { describe, expect, test } from 'vitest';
import { readReasons } from '../../../src/engine/store/validations.ts';
import type { ValidationView } from '../../../src/shared/contract/coach.ts';
import { insertProposal, storeWithRun } from '../../support/store-records.ts';

const validation: ValidationView = {
  isValid: true,
  reasons: [
    {
      code: 'paysForLoops',
      severity: 'warning',
      message: 'it can be earned by going round',
      evidence: { loops: 9, paying: 4 },
      examples: [{ round: 0, copy: 3, from: 12, to: 28 }],
    },
  ],
};

describe('validations', () => {
  test('are given back with their evidence; a later one replaces an earlier', () => {
    const store = storeWithRun();
    insertProposal(store);
    expect(store.validations.find('p1')).toBeNull();
    store.validations.record('p1', { isValid: false, reasons: [] }, 1);
    store.validations.record('p1', validation, 2);
    expect(store.validations.find('p1')).toEqual(validation);
  });

  test('reasons of before there were doubts and examples are errors without any', () => {
    const older = [{ code: 'neverFires', message: 'none of 512', evidence: { fired: 0 } }];
    expect(readReasons(JSON.stringify(older))).toEqual([
      {
        code: 'neverFires',
        severity: 'error',
        message: 'none of 512',
        evidence: { fired: 0 },
        examples: [],
      },
    ]);
  });
});
