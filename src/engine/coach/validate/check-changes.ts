import type { ProposedChange } from '../../../shared/contract/coach.ts';
import { functionNames } from '../../edl/function-names.ts';
import type { CompiledEnvironment } from '../../edl/types.ts';
import { coachKinds, type GrantableKind } from '../config.ts';
import { tokenize } from '../enumerate/declaration-text.ts';
import { type Reason, reason } from './reason.ts';

const targetPattern = /^([a-z]+)\s+([A-Za-z_][A-Za-z0-9_.]*)$/;

/**
 * Checks that a change says one thing, and one that the coach `may` say: op, target and EDL agree, and the hint names what the
 * EDL uses. `aim`: the objective's metric, which only the objective's environment may have.
 */
export function checkChange(
  change: ProposedChange,
  environment: CompiledEnvironment,
  may: readonly GrantableKind[] = coachKinds,
  aim: string | null = null,
): Reason[] {
  const target = targetPattern.exec(change.target.trim());
  if (target === null) {
    return [
      reason(
        'inconsistent',
        `"${change.target}" is no target: write a kind and a name, such as "reward crowding"`,
      ),
    ];
  }
  const [, kind = '', name = ''] = target;
  if (!may.some((allowed) => allowed === kind)) {
    return [reason('notAllowed', `this coach may not change "${kind}": it may write ${may.join(', ')}`)];
  }
  return [
    ...checkText(change, kind, name),
    ...checkHint(change, environment, kind, name),
    ...checkMetric(change, environment, aim),
  ];
}

function checkText({ op, target, edl }: ProposedChange, kind: string, name: string): Reason[] {
  if (op === 'remove') {
    return edl.trim() === ''
      ? []
      : [reason('inconsistent', `op remove carries no EDL, but "edl" holds a text for ${target}`)];
  }
  const words = tokenize(edl).map(({ text }) => text);
  if (words.length === 0)
    return [reason('inconsistent', `op ${op} of ${target} needs the whole declaration in "edl"`)];
  const declared = dottedName(words.slice(1));
  if (words[0] === kind && declared === name) return [];
  return [
    reason('inconsistent', `the target is "${target}", but the EDL declares "${words[0]} ${declared}"`),
  ];
}

/** What is measured in an environment. */
export function measuredNames({
  manifest,
  metrics,
}: Pick<CompiledEnvironment, 'manifest' | 'metrics'>): string[] {
  const names = [...manifest.metrics, ...metrics, ...manifest.components].map(({ name }) => name);
  return ['episode_return', ...names];
}

/** The expected impact is scored later against what was measured, so its metric has to be one that is. */
function checkMetric(
  { expected_impact: { metric } }: ProposedChange,
  environment: CompiledEnvironment,
  aim: string | null,
): Reason[] {
  const known = measuredNames(environment);
  if (metric === aim || known.includes(metric)) return [];
  return [
    reason(
      'unknownMetric',
      `the expected impact names the metric "${metric}"; measured are ${known.join(', ')}`,
    ),
  ];
}

/** The name at the start of the words: a word, and more behind dots. */
function dottedName(words: readonly string[]): string {
  let name = words[0] ?? '';
  for (let i = 1; words[i] === '.'; i += 2) name += `.${words[i + 1] ?? ''}`;
  return name;
}

/** Names that a declaration may be said to be made of. */
function primitivesOf({ manifest }: CompiledEnvironment): ReadonlySet<string> {
  const names = new Set<string>(functionNames);
  const { sets, attributes, signals, groups, relations, events, behaviours } = manifest;
  for (const { name } of [
    ...sets,
    ...attributes,
    ...signals,
    ...groups,
    ...relations,
    ...events,
    ...behaviours,
  ])
    names.add(name);
  for (const { name } of manifest.parameters) names.add(name);
  return names;
}

function checkHint(
  change: ProposedChange,
  environment: CompiledEnvironment,
  kind: string,
  name: string,
): Reason[] {
  const existing = environment.declarations.find(({ target }) => target === `${kind} ${name}`);
  const text = change.op === 'remove' ? (existing?.text ?? '') : change.edl;
  const used = new Set(tokenize(text).map((token) => token.text));
  const hint = change.implementation_hint;
  const primitives = primitivesOf(environment);
  const hinted = hint.match(/[A-Za-z_][A-Za-z0-9_.]*/g) ?? [];
  const fits = (word: string): boolean =>
    word === name || (primitives.has(word) && word.split('.').every((part) => used.has(part)));
  if (hinted.some(fits)) return [];
  return [
    reason(
      'wrongHint',
      `the hint "${hint}" names no function, set, attribute or parameter that the EDL of ${change.target} uses`,
    ),
  ];
}
