import type { ProposedChange } from '../../../shared/contract/coach.ts';
import { readGifts } from '../enumerate/declaration-text.ts';
import { trendOf } from '../snapshot/checkpoints.ts';
import type { Snapshot } from '../snapshot/snapshot-schema.ts';
import { changeBetween, type SizeChange, settingOf, sizeChange } from './size-change.ts';

/** What a ranker sees of an edit in its situation: named figures, 0 where one is not there. */
export type Features = Readonly<Record<string, number>>;

type ChangeShape = Pick<ProposedChange, 'op' | 'target' | 'edl'>;

/**
 * What is done (op and kind), how much of it, to what, and how things stand. No name of a scenario, declaration or metric
 * enters: what is learned in one environment can be asked in another. A pure function of both.
 */
export function editFeatures(snapshot: Snapshot, { op, target, edl }: ChangeShape): Features {
  const [kind = '', name = ''] = target.trim().split(/\s+/);
  const isSetting = kind === 'set' && op !== 'remove';
  // A parameter is changed by its first declaration as by another one.
  const action = isSetting ? 'modify set' : `${op} ${kind}`;
  const component = snapshot.components.find((each) => each.name === name && each.kind === 'shaping');
  const declaration = snapshot.declarations.find((each) => `${each.kind} ${each.name}` === `${kind} ${name}`);
  const last = component?.checkpoints.at(-1)?.mean ?? 0;
  const share = component?.share ?? 0;
  const fires = declaration?.fireRate ?? 0;
  const old = declaration?.text ?? '';
  const change = isSetting
    ? settingChange(snapshot, name, old, edl)
    : op === 'modify'
      ? sizeChange(old, edl)
      : null;
  const larger = Math.max(0, change?.doublings ?? 0);
  const smaller = Math.max(0, -(change?.doublings ?? 0));
  const gifts = readGifts(op === 'remove' ? old : edl);
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
    [`${action}, sign turned`]: change?.isTurned === true ? 1 : 0,
    [`${action}, fades or is limited`]: /\b(decay|limit)\b/.test(edl) ? 1 : 0,
    // Of the reward it is about: as it is from now on, or as it was.
    [`${action}, gives`]: gifts.some(({ factor }) => factor > 0) ? 1 : 0,
    [`${action}, takes`]: gifts.some(({ factor }) => factor < 0) ? 1 : 0,
    [`${action}, potential`]: /\bpotential\b/.test(edl) ? 1 : 0,
  };
}

/** Against what the text sets it to, else against its value in force. */
function settingChange(snapshot: Snapshot, name: string, declared: string, edl: string): SizeChange | null {
  const value = snapshot.capabilities.parameters.find((each) => each.name === name)?.value ?? null;
  const [from, to] = [settingOf(declared) ?? value, settingOf(edl)];
  return from === null || to === null ? null : changeBetween(from, to);
}
