import type { EffectIr } from '../../edl/ir.ts';
import type { CompiledEnvironment } from '../../edl/types.ts';
import { tokenize } from '../enumerate/declaration-text.ts';
import type { VariantInput } from './judge-contradictions.ts';
import { examplesOf, stepsOfAll } from './play-stretches.ts';
import { doubt, type Reason } from './reason.ts';
import { countDifferent, replaySteps } from './replay-steps.ts';

/** By how much an effect is made stronger to see whether the manifest's bounds hold it. */
const amplification = 1e6;

/**
 * Effects that the manifest's bounds hold back throughout: made a million times stronger, they make no difference. Only
 * constant factors and shifts are looked at; a constant that is set is held to the bounds by the language.
 */
export function judgeBounds(input: VariantInput): Reason[] {
  return input.candidate.ir.rules
    .filter(({ name }) => input.changed.has(`rule ${name}`))
    .flatMap(({ name, effects }) =>
      effects.flatMap((effect, index) => {
        const factor = factorOf(effect);
        return factor === null ? [] : judgeEffect(input, { rule: name, effect, index, factor });
      }),
    );
}

/** What makes the effect stronger; null for one that is not judged. */
function factorOf({ operator, value, isLasting }: EffectIr): number | null {
  if (value.op !== 'number' || isLasting || operator === 'set') return null;
  return operator === 'scale' && value.value < 1 ? 1 / amplification : amplification;
}

interface Judged {
  readonly rule: string;
  readonly effect: EffectIr;
  readonly index: number;
  readonly factor: number;
}

function judgeEffect(input: VariantInput, { rule, effect, index, factor }: Judged): Reason[] {
  const { candidate, replayed } = input;
  const column = (candidate.spec.program?.declarations ?? []).findIndex(
    (each) => each.kind === 'rule' && each.name === rule,
  );
  const fired = replayed.fired[column] ?? 0;
  const stronger = amplified(input, rule, index, factor);
  if (fired === 0 || stronger === null) return [];
  const different = countDifferent(replayed, replaySteps(input.createVecEnv, stronger, input.steps));
  if (different > 0) return [];
  const bounds = candidate.manifest.attributes.find(({ name }) => name === effect.attribute);
  const range = bounds === undefined ? '' : ` (${bounds.min} to ${bounds.max})`;
  const message = `rule ${rule} asks for more than the bounds of "${effect.attribute}"${range} allow: wherever it fires, they decide and not its number`;
  const examples = examplesOf(input.played, stepsOfAll(input.played, [`rule ${rule}`]));
  return [doubt('cutOff', message, { fired, different, steps: replayed.steps }, examples)];
}

/** The candidate with one effect of a rule made stronger; null where the text does not let itself be changed so. */
function amplified(
  { edl, text, candidate }: VariantInput,
  rule: string,
  index: number,
  factor: number,
): CompiledEnvironment | null {
  const target = `rule ${rule}`;
  const declaration = candidate.declarations.find((each) => each.target === target)?.text ?? '';
  const value = effectValues(declaration)[index];
  if (value === undefined) return null;
  const changed = `${declaration.slice(0, value.start)} (${declaration.slice(value.start, value.end)}) * ${factor} ${declaration.slice(value.end)}`;
  const result = edl.applyChanges(text, [{ op: 'modify', target, edl: changed }]);
  return 'refused' in result ? null : result.environment;
}

const operators: ReadonlySet<string> = new Set(['=', '*', '+', '<', '>', '!']);

/** Where the values of a rule's effects stand: behind each `then`, from its operator to the next clause. */
function effectValues(declaration: string): { readonly start: number; readonly end: number }[] {
  const tokens = tokenize(declaration);
  const values: { start: number; end: number }[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.text !== 'then') continue;
    const equals = tokens.findIndex(
      (each, i) => i > at && each.text === '=' && !operators.has(tokens[i + 1]?.text ?? ''),
    );
    const end = tokens.findIndex((each, i) => i > equals && (each.text === 'then' || each.text === '}'));
    const [from, to] = [tokens[equals], tokens[end]];
    if (from !== undefined && to !== undefined) values.push({ start: from.end, end: to.start });
  }
  return values;
}
