import type { AstNode } from 'langium';
import { type Measure, spellingFor } from '../dimension.ts';
import { boundsOf } from '../interval.ts';
import type { ExpressionIr, SetIr } from '../ir.ts';
import { heldIndex } from '../manifest-index.ts';
import { undefinedReads } from '../undefined-reads.ts';
import { type Context, candidatesOf } from './context.ts';

/** Where the divisor of a division is written, and what it is measured in. */
interface Divisor {
  readonly node: AstNode;
  readonly measure: Measure;
}

const divisors = new WeakMap<ExpressionIr, Divisor>();

/** Keeps where a division was written, for what may be said of it once its surroundings are known. */
export function recordDivisor(division: ExpressionIr, divisor: Divisor): void {
  divisors.set(division, divisor);
}

/**
 * Warns where an attribute is read of a nearest member that may be nobody, and where a divisor may be 0; `given` is what
 * holds beforehand. For what traps where it is undefined: metrics leave such a sample out, and issues do not hold.
 */
export function warnUndefined(
  context: Context,
  node: AstNode,
  ir: ExpressionIr,
  given: ExpressionIr | null = null,
): void {
  const { ofNobody, divisions } = undefinedReads(context.index, candidatesOf(context), ir, given);
  const [read] = ofNobody;
  if (read !== undefined) {
    const whom = `${read.of.op}(${spellSet(context, read.of.set)})`;
    const asked = read.isOwn ? 'whether count(…) > 1' : 'for any(…) of the set';
    const message = `${whom} may be nobody, and '${read.attribute}' is then undefined: ask ${asked}, or for the distance, first`;
    context.reporter.report('EDL508', { node }, message);
  }
  for (const division of new Set(divisions)) warnDivision(context, node, division);
}

function warnDivision(
  context: Context,
  whole: AstNode,
  division: ExpressionIr & { right: ExpressionIr },
): void {
  const divisor = divisors.get(division);
  const node = divisor?.node ?? whole;
  const text = node.$cstNode?.text.trim() ?? '';
  const bounded = divisor === undefined ? null : boundedText(context, text, divisor.measure, division.right);
  const way = bounded === null ? 'bound it, or ask for it first' : `write '${bounded}', or ask for it first`;
  const message = `'${text}' can be 0, and what is divided by it is then undefined: ${way}`;
  context.reporter.report('EDL517', { node }, message, bounded === null ? [] : [bounded]);
}

/** The divisor held above 0; null where it may be below, or where no smallest one suggests itself. */
function boundedText(context: Context, text: string, measure: Measure, ir: ExpressionIr): string | null {
  const { min } = boundsOf(heldIndex(context.index), ir, { variables: candidatesOf(context) });
  if (min < 0 || text === '' || text.includes('\n')) return null;
  if (ir.op === 'aggregate' && ir.kind === 'count') return `max(${text}, 1)`;
  const unit = spellingFor(measure, context.index.manifest.stepSeconds);
  if (unit === undefined || unit === '') return null;
  return `max(${text}, ${unit === 'steps' ? '1 step' : `0.01 ${unit}`})`;
}

function spellSet(context: Context, set: SetIr): string {
  if (set.op === 'set') return set.name;
  const { of } = set;
  if (of.op === 'variable') return `${set.op}(${context.variables[of.index]?.name ?? 'a'})`;
  return `${set.op}(${of.op === 'entity' ? of.name : '…'})`;
}
