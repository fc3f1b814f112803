import type { ValidationReason, ValidationView } from '../../shared/contract/coach.ts';
import type { Connection } from './connection.ts';

/** The validator's verdict on a proposal, with its evidence. */
export interface ValidationsReader {
  find(proposalId: string): ValidationView | null;
}

export interface ValidationsWriter extends ValidationsReader {
  /** Records the verdict; a later one (after a repair attempt) replaces it. */
  record(proposalId: string, validation: ValidationView, validatedAt: number): void;
}

interface ValidationRow {
  is_valid: number;
  reasons: string;
}

/** Reasons as they stand on record; older ones name no examples, and all of them were errors. */
export function readReasons(stored: string): ValidationReason[] {
  const known: readonly Partial<ValidationReason>[] = JSON.parse(stored);
  return known.map(({ code = '', severity = 'error', message = '', evidence = {}, examples = [] }) => ({
    code,
    severity,
    message,
    evidence,
    examples,
  }));
}

export function createValidations(db: Connection): ValidationsWriter {
  const upsert = db.prepare(`
    INSERT INTO validations (proposal_id, is_valid, reasons, validated_at) VALUES (@proposalId, @isValid, @reasons, @validatedAt)
    ON CONFLICT (proposal_id) DO UPDATE SET is_valid = @isValid, reasons = @reasons, validated_at = @validatedAt`);
  const select = db.prepare<ValidationRow>(
    'SELECT is_valid, reasons FROM validations WHERE proposal_id = @proposalId',
  );
  return {
    find(proposalId) {
      const row = select.get({ proposalId });
      return row === undefined ? null : { isValid: row.is_valid === 1, reasons: readReasons(row.reasons) };
    },
    record(proposalId, { isValid, reasons }, validatedAt) {
      db.write(() =>
        upsert.run({ proposalId, isValid: isValid ? 1 : 0, reasons: JSON.stringify(reasons), validatedAt }),
      );
    },
  };
}
