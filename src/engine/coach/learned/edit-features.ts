import type { ProposedChange } from '../../../shared/contract/coach.ts';
import { oneLine } from '../one-line.ts';
import type { Snapshot } from '../snapshot/snapshot-schema.ts';

/** What a ranker sees of an edit in its situation: named figures, 0 where one is not there. */
export type Features = Readonly<Record<string, number>>;

type ChangeShape = Pick<ProposedChange, 'op' | 'target' | 'edl'>;

/**
 * What is done (op and kind), how much of it, to what, and how things stand. No name of a scenario, declaration or metric
 * enters: what is learned in one environment can be asked in another. A pure function of both.
 */
export function editFeatures(snapshot: Snapshot, { op, target, edl }: ChangeShape): Features {
  const [kind = '', name = ''] = target.trim().split(/\s+/);
  const action = `${op} ${kind}`;
  const component = snapshot.components.find((each) => each.name === name && each.kind === 'shaping');
  const declaration = snapshot.declarations.find((each) => `${each.kind} ${each.name}` === `${kind} ${name}`);
  const last = component?.checkpoints.at(-1)?.mean ?? 0;
  const share = component?.share ?? 0;
  const fires = declaration?.fireRate ?? 0;
  const change = op === 'modify' ? changeOf(before(snapshot, declaration?.text, name), edl) : null;
  const larger = Math.max(0, change ?? 0);
  const smaller = Math.max(0, -(change ?? 0));
  const isFiring = snapshot.issues.some((issue) => issue.isFiring) ? 1 : 0;
  const spent = snapshot.progress.chargedSteps / snapshot.progress.budgetSteps;
  return {
    [action]: 1,
    [`${action}, budget spent`]: spent,
    [`${action}, an issue fires`]: isFiring,
    [`${action}, objective's trend`]: trendOf(snapshot.objective.checkpoints.map(({ mean }) => mean)),
    [`${action}, share of pay`]: share,
    [`${action}, share of pay taken away`]: last < 0 ? share : 0,
    [`${action}, fires`]: fires,
    [`${action}, never fires`]: declaration !== undefined && declaration.fireRate === 0 ? 1 : 0,
    [`${action}, doublings`]: larger,
    [`${action}, halvings`]: smaller,
    [`${action}, halvings × share of pay`]: smaller * share,
    [`${action}, fades or is limited`]: /\b(decay|limit)\b/.test(edl) ? 1 : 0,
    [`${action}, gives`]: op === 'add' && /\bgive\s+[0-9(a-z]/.test(edl) ? 1 : 0,
    [`${action}, takes`]: op === 'add' && /\bgive\s+-/.test(edl) ? 1 : 0,
    [`${action}, potential`]: /\bpotential\b/.test(edl) ? 1 : 0,
  };
}

/** The text that a modification replaces; a parameter that is not declared has its value in force. */
function before(snapshot: Snapshot, declared: string | undefined, name: string): string {
  if (declared !== undefined) return declared;
  const parameter = snapshot.capabilities.parameters.find((each) => each.name === name);
  return parameter === undefined ? '' : `set ${name} = ${parameter.value}`;
}

const numbers = /(?<![\w.])-?\d+(?:\.\d+)?/g;

/** Doublings from the first number that differs to what it becomes; null where the texts differ otherwise. */
function changeOf(old: string, now: string): number | null {
  const [from, to] = [old, now].map((text) => (oneLine(text).match(numbers) ?? []).map(Number));
  if (from === undefined || to === undefined || from.length !== to.length) return null;
  const at = from.findIndex((value, i) => value !== to[i]);
  const [a, b] = [Math.abs(from[at] ?? 0), Math.abs(to[at] ?? 0)];
  if (at < 0 || a === 0 || b === 0) return null;
  return Math.max(-8, Math.min(8, Math.log2(b / a)));
}

/** From the first to the last value as a part of the range: -1 to 1. */
function trendOf(values: readonly number[]): number {
  const range = Math.max(...values) - Math.min(...values);
  return values.length < 2 || range === 0 ? 0 : ((values.at(-1) ?? 0) - (values[0] ?? 0)) / range;
}
