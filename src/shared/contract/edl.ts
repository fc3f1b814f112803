import { z } from 'zod';
import { scenarioManifest } from '../rl/manifest.ts';
import { call } from './define.ts';

const position = z.object({ line: z.int().nonnegative(), character: z.int().nonnegative() });

/** A problem in EDL text. Codes are stable ("EDL201"); positions are zero-based, as in LSP. */
export const diagnostic = z.object({
  code: z.string(),
  severity: z.enum(['error', 'warning', 'hint']),
  message: z.string(),
  range: z.object({ start: position, end: position }),
  suggestions: z.array(z.string()).describe('replacement texts for the range, best first'),
});
export type Diagnostic = z.infer<typeof diagnostic>;

export const edl = {
  check: call({
    args: z.object({ text: z.string(), path: z.string().optional() }),
    result: z.object({
      diagnostics: z.array(diagnostic),
      environment: z
        .object({ name: z.string(), scenario: z.string(), identity: z.string(), costPerStep: z.number() })
        .nullable(),
    }),
    errors: [],
    doc: 'Diagnostics of an EDL text; environment is null while there are errors.',
  }),
  format: call({
    args: z.object({ text: z.string() }),
    result: z.object({ text: z.string() }),
    errors: ['edl.invalid'],
    doc: 'The canonical layout, comments kept.',
  }),
  explain: call({
    args: z.object({ text: z.string(), path: z.string().optional() }),
    result: z.object({ text: z.string() }),
    errors: ['edl.invalid'],
    doc: 'Plain words: what this environment changes, within which bounds, at which cost.',
  }),
  scenarios: call({
    args: z.object({}),
    result: z.array(scenarioManifest),
    errors: ['sim.addonMissing'],
    doc: 'Capability manifests of the built-in scenarios at their default parameters.',
  }),
};
