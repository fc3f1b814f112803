/** One finding: what was looked at, how it stands, and what to do where it does not. */
export interface Finding {
  readonly name: string;
  /** `missing` stops something that everyone needs; `limited` only what the detail names. */
  readonly state: 'ok' | 'limited' | 'missing';
  readonly detail: string;
  readonly advice: string | null;
}

export const ok = (name: string, detail: string): Finding => ({ name, state: 'ok', detail, advice: null });

export const limited = (name: string, detail: string, advice: string): Finding => ({
  name,
  state: 'limited',
  detail,
  advice,
});

export const missing = (name: string, detail: string, advice: string): Finding => ({
  name,
  state: 'missing',
  detail,
  advice,
});
