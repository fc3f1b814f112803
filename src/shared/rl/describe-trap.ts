import type { TrapRecord } from './vec-env.ts';

const reasons: Readonly<Record<TrapRecord['reason'], string>> = {
  division: 'divided by 0',
  nonfinite: 'came to a value that is not finite',
  domain: 'came to an undefined value',
};

/** "boom divided by 0 in step 3 of episode 12", for logs and reports. Steps and episodes count from 0, as in the record. */
export function describeTrap({ declaration, episode, step, reason }: Omit<TrapRecord, 'env'>): string {
  return `${declaration} ${reasons[reason]} in step ${step} of episode ${episode}`;
}
