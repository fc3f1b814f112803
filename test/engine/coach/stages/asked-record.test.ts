import { describe, expect, test } from 'vitest';
import { AskedRecord } from '../../../../src/engine/coach/stages/asked-record.ts';
import { detailsOf } from '../../../../src/engine/coach/stages/excluded.ts';
import { AppError } from '../../../../src/shared/std/app-error.ts';
import { coachDependencies, roundContext } from '../../../support/coach-world.ts';
import { proposalBody } from '../../../support/store-records.ts';

function open() {
  const changed: string[] = [];
  const deps = coachDependencies({ onChange: (proposalId) => changed.push(proposalId) });
  const record = new AskedRecord(deps, roundContext(), { trigger: 'interval', detail: 'every round' });
  const { snapshotId } = record.takeSnapshot();
  const ask = () => record.open({ provider: null, snapshotId, candidate: 0 });
  return { store: deps.store, record, changed, ask };
}

describe('AskedRecord', () => {
  test('takes the snapshot of a boundary once, and opens a proposal once', () => {
    const { record, changed, ask } = open();
    expect(record.takeSnapshot()).toEqual(record.takeSnapshot());
    expect([ask(), ask()]).toEqual(['r1-p1-1', 'r1-p1-1']);
    expect(changed).toEqual(['r1-p1-1']);
    expect(record.isOpen('r1-p1-1')).toBe(true);
  });

  test('what failed is closed with its reason; only what an answer can mend is worth another attempt', () => {
    for (const [code, reasons] of [
      ['model.truncated', ['cut off']],
      ['model.timeout', []],
    ] as const) {
      const { store, record, ask } = open();
      const proposalId = ask();
      record.fail(proposalId, 'failed', new AppError(code, 'cut off'));
      expect(record.isOpen(proposalId)).toBe(false);
      expect(detailsOf(store.proposals.get(proposalId)).failure).toEqual({ code, message: 'cut off' });
      expect(record.rejections(proposalId)).toEqual(reasons);
    }
  });

  test('an answer is on record with what the validator found; errors are the reasons of a second attempt', () => {
    const { store, record, ask } = open();
    const proposalId = ask();
    const raw = JSON.stringify(proposalBody);
    const answerHash = record.keep({ raw, isComposed: false, enumerated: 3 });
    const reason = (severity: 'error' | 'warning', message: string) =>
      ({ code: 'neverFires', severity, message, examples: [] }) as never;
    record.answer(
      proposalId,
      { answerHash, isComposed: false, enumerated: 3, body: proposalBody },
      {
        reasons: [reason('error', 'it never fires'), reason('warning', 'odd')],
        text: null,
        environment: null,
      },
    );
    const { state, body, details } = store.proposals.get(proposalId);
    expect([state, body, details]).toEqual([
      'invalid',
      proposalBody,
      expect.objectContaining({ enumerated: 3 }),
    ]);
    expect(store.validations.find(proposalId)?.isValid).toBe(false);
    expect(record.rejections(proposalId)).toEqual(['it never fires']);
  });
});
