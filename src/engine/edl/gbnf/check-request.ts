import { AppError } from '../../../shared/std/app-error.ts';
import { parseTarget } from '../edit/target.ts';
import { programKinds, reportedAs } from '../elaborate/taken-names.ts';
import type { ManifestIndex } from '../manifest-index.ts';
import { suggestNames } from '../suggest.ts';
import { type DeclarationKindName, declarationKindNames } from '../types.ts';
import type { GrammarRequest } from './request.ts';

const namePattern = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Kinds without a name, or with that of something else. */
const otherwiseNamed: ReadonlySet<DeclarationKindName> = new Set([
  'mission',
  'set',
  'capacity',
  'without',
  'schedule',
]);

/** Refuses names that no new declaration can have and targets that no text can hold. Throws input.invalid. */
export function checkRequest(request: GrammarRequest, index: ManifestIndex): void {
  const targets = request.targets ?? [];
  for (const target of [...targets, ...(request.inherited ?? [])]) checkTarget(index, target);
  const kinds = (request.kinds ?? declarationKindNames).filter((kind) => !otherwiseNamed.has(kind));
  if (kinds.length === 0) return;
  if (request.names?.length === 0)
    throw new AppError('input.invalid', 'no name is given: leave names out, or give at least one');
  for (const name of request.names ?? []) checkName(index, name, kinds, targets);
}

function checkName(
  index: ManifestIndex,
  name: string,
  kinds: readonly DeclarationKindName[],
  targets: readonly string[],
): void {
  if (!namePattern.test(name)) {
    const message = `${JSON.stringify(name)} is no name: names are made of a-z, A-Z, 0-9 and _, and do not begin with a digit`;
    throw new AppError('input.invalid', message, { data: { name } });
  }
  const isReported = kinds.some((kind) => programKinds.has(kind));
  const reported = isReported ? reportedAs(index, name) : null;
  if (reported !== null)
    throw new AppError('input.invalid', `'${name}' is taken: it is ${reported.what}`, { data: { name } });
  const other = targets.find((target) => {
    const [kind = '', own] = target.split(' ');
    const isShared = isReported && programKinds.has(kind as DeclarationKindName);
    return own === name && (isShared || kinds.includes(kind as DeclarationKindName));
  });
  if (other === undefined) return;
  throw new AppError('input.invalid', `'${name}' is taken: the text has '${other}'`, { data: { name } });
}

function checkTarget(index: ManifestIndex, target: string): void {
  const parsed = parseTarget(target);
  if (parsed === null) {
    const [kind = ''] = target.trim().split(/\s+/);
    const isKind = declarationKindNames.some((known) => known === kind);
    const what = isKind ? '' : `; kinds are ${declarationKindNames.join(', ')}`;
    const message = `${JSON.stringify(target)} is no target: write kind and name, as in "reward crowding" ("mission" and "schedule" alone)${what}`;
    throw new AppError('input.invalid', message, { data: { target } });
  }
  if (parsed.target !== target) {
    const message = `${JSON.stringify(target)} is no target as they are spelled: write ${JSON.stringify(parsed.target)}`;
    throw new AppError('input.invalid', message, { data: { target } });
  }
  const name = target.slice(parsed.kind.length + 1);
  if (parsed.kind === 'set') refuseUnknown(target, 'parameter', name, index.parameters.keys());
  if (parsed.kind === 'capacity') refuseUnknown(target, 'set with a capacity', name, index.capacities.keys());
}

function refuseUnknown(target: string, what: string, name: string, known: Iterable<string>): void {
  const names = [...known];
  if (names.includes(name)) return;
  const [near] = suggestNames(name, names);
  const hint = near === undefined ? '' : `; did you mean '${near}'?`;
  throw new AppError('input.invalid', `the scenario has no ${what} '${name}'${hint}`, { data: { target } });
}
