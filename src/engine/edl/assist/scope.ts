import { framesOf } from './assist-text.ts';
import type { Frame, Step } from './grammar-walk.ts';
import type { Token } from './lexer.ts';

/** A name that stands for a member of a set, from `for a in SET`, `any(a in SET …)`, `sum over a in SET …`. */
export interface ScopedVariable {
  readonly name: string;
  /** Where it is named; null for `self` of an npc. */
  readonly token: Token | null;
  /** The set as written. */
  readonly set: string;
  /** The rule that binds it. */
  readonly frame: Frame;
}

/** The variables known at a place, outermost first. `steps`: those of the declaration, up to the place or further. */
export function variablesAt(steps: readonly Step[], frame: Frame, offset: number): ScopedVariable[] {
  const around = new Set(framesOf(frame));
  const variables = implicitVariables(steps, frame);
  for (const [i, step] of steps.entries()) {
    if (step.token.start >= offset || step.role?.feature !== 'variable') continue;
    const scope = step.frame.rule.name === 'Loop' ? step.frame.parent : step.frame;
    // What stands in the binder itself and not in its parts, as what is read of the one chosen, is behind its bracket.
    if (scope === null || !around.has(scope) || step.frame === frame || isOutside(step.frame, around))
      continue;
    const set = joinTokens(partAfter(steps, i, step.frame, 'set'));
    variables.push({ name: step.token.text, token: step.token, set, frame: step.frame });
  }
  return variables;
}

/** In `for a in SET` the set does not know the variable yet, in `nearest(a in SET to b)` what follows `to` not either. */
function isOutside(binder: Frame, around: ReadonlySet<Frame>): boolean {
  const isOuter = ({ parent, feature }: Frame): boolean =>
    parent === binder && (feature === 'set' || feature === 'anchor' || feature === 'method');
  return [...around].some(isOuter);
}

/** Inside an npc, `self` is the agent whose behaviour is chosen. */
function implicitVariables(steps: readonly Step[], frame: Frame): ScopedVariable[] {
  const declaration = frame.declaration;
  if (declaration?.rule.name !== 'Npc') return [];
  const controlled = steps.find(
    (step) => step.frame.rule.name === 'Control' && step.role?.feature === 'name',
  );
  if (controlled === undefined) return [];
  return [{ name: 'self', token: null, set: controlled.token.text, frame: declaration }];
}

/** The text of the part of a rule that fills a property. */
export function textOf(steps: readonly Step[], parent: Frame, feature: string): string {
  return joinTokens(stepsOf(steps, parent, feature));
}

/** The tokens of the part of a rule that fills a property, nested ones included. */
export function stepsOf(steps: readonly Step[], parent: Frame, feature: string): Step[] {
  return steps.filter((step) => isOfPart(step, parent, feature));
}

/** As `stepsOf`, of a part that follows a step of the rule itself: nothing behind the part is looked at. */
function partAfter(steps: readonly Step[], at: number, parent: Frame, feature: string): Step[] {
  const isPart = (step: Step): boolean => isOfPart(step, parent, feature);
  const from = steps.findIndex((step, i) => i > at && (step.frame !== parent || isPart(step)));
  if (from < 0) return [];
  const to = steps.findIndex((step, i) => i >= from && !isPart(step));
  return steps.slice(from, to < 0 ? steps.length : to);
}

function isOfPart({ role, frame }: Step, parent: Frame, feature: string): boolean {
  if (role === null) return false;
  if (frame === parent) return role.feature === feature;
  for (const at of framesOf(frame)) if (at.parent === parent) return at.feature === feature;
  return false;
}

/** Tokens as text; single spaces keep words apart. */
export function joinTokens(steps: readonly Step[]): string {
  return steps.map((step) => step.token.text).join(' ');
}
