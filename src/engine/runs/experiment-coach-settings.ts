import type { CoachConfig } from '../coach/config.ts';
import type { Path } from '../yaml/index.ts';
import { type CoachBlock, coachDefaults } from './experiment-schema.ts';
import type { ArmSpec } from './experiment-types.ts';
import type { CheckContext } from './load-environment.ts';

/** Settings that are said to a provider, and who has them. */
const owners = {
  model: ['llama', 'http', 'learned'],
  scorer: ['learned'],
  proposing: ['llama', 'http'],
  temperature: ['llama', 'http'],
  prompt: ['llama', 'http', 'learned with a scorer'],
  llama: ['llama', 'learned with a scorer'],
  http: ['http'],
  replay: ['replay'],
  memory: ['rules', 'llama', 'http', 'learned'],
} as const satisfies { readonly [Key in keyof CoachBlock]?: readonly string[] };
type OwnedKey = keyof typeof owners;

/** Those that an arm inherits whatever its provider is: blocks named after the one that they are for, and what controls pass over. */
const shared: ReadonlySet<OwnedKey> = new Set(['llama', 'http', 'replay', 'memory']);

/**
 * Settings of coach blocks that nobody reads: in an arm's own block those that its provider does not have, in the common one those
 * that no arm takes over. A file in which nothing coaches may keep what it said to its coach.
 */
export function reportUnreadSettings({ file, report }: CheckContext, arms: readonly ArmSpec[]): void {
  for (const [index, { coach }] of arms.entries()) {
    const own = file.arms?.[index]?.coach;
    if (typeof own !== 'object') continue;
    for (const key of ownedKeys(own).filter((each) => !reads(coach, each)))
      report(['arms', index, 'coach', key], notRead(key, [coach.provider]));
  }
  if (typeof file.coach !== 'object') return;
  const common = file.coach;
  const coached = arms
    .map(({ coach }, index) => ({ coach, own: file.arms?.[index]?.coach }))
    .filter(({ coach }) => coach.provider !== 'none');
  if (coached.length === 0) return;
  for (const key of ownedKeys(common)) {
    if (coached.some(({ coach, own }) => takesOver(common, own, key) && reads(coach, key))) continue;
    // An arm that has to name its own model is told so, with this one.
    if (key === 'model' && coached.some(({ coach }) => reads(coach, key) && coach.model === null)) continue;
    const place: Path = ['coach', key];
    const isElsewhere = coached.some(({ coach }) => reads(coach, key));
    if (isElsewhere) report(place, `no arm inherits it: ${inheritance}`);
    else report(place, notRead(key, [...new Set(coached.map(({ coach }) => coach.provider))]));
  }
}

const inheritance = 'what is said to one provider is not said to an arm with another; say it in that arm';

/** Of what a block says; `none` for a block of settings asks for nothing that somebody would have to read. */
const ownedKeys = (block: CoachBlock): OwnedKey[] =>
  (Object.keys(owners) as OwnedKey[]).filter((key) => block[key] !== undefined && block[key] !== null);

function reads({ provider, scorer }: CoachConfig, key: OwnedKey): boolean {
  const names: readonly string[] = owners[key];
  return names.includes(provider) || (scorer !== undefined && names.includes(`${provider} with a scorer`));
}

function takesOver(common: CoachBlock, own: CoachBlock | 'none' | undefined, key: OwnedKey): boolean {
  if (typeof own !== 'object' || own.provider === undefined || shared.has(key)) return true;
  return own.provider === (common.provider ?? coachDefaults.provider);
}

function notRead(key: OwnedKey, providers: readonly CoachConfig['provider'][]): string {
  const names = owners[key];
  const having = `${names.join(', ')} ${names.length > 1 ? 'have' : 'has'} it`;
  const [only] = providers;
  if (providers.length > 1) return `is a setting of none of ${providers.join(', ')}; ${having}`;
  const hint = only === 'replay' && key === 'model' ? '; "replay: {study: ID}" names what is repeated' : '';
  return `provider "${only}" has no setting "${key}"; ${having}${hint}`;
}
