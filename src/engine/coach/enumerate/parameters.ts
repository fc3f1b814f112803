import type { ManifestParameter } from '../../../shared/rl/manifest.ts';
import { tokenize } from './declaration-text.ts';
import { currentStage, type DraftContext, maxOptions } from './draft.ts';

/** A parameter and its value in force. */
export interface Setting {
  /** Its bounds are those within which values differ. */
  readonly parameter: ManifestParameter;
  readonly inForce: number;
  /** The least value that is the same in effect: `inForce`, or the reach of the parameter where that is beyond it. */
  readonly effective: number;
}

/** What a coach may set while a run goes on and what makes a difference there, as far as the scenario says. */
export function settable({ environment }: Pick<DraftContext, 'environment'>): Setting[] {
  const { manifest, spec } = environment;
  return manifest.parameters
    .filter(({ coach, structural }) => coach && !structural)
    .filter((parameter) => isInPlay(environment, parameter))
    .map((parameter) => {
      const max = Math.min(parameter.max, parameter.reach ?? parameter.max);
      const inForce = spec.parameters[parameter.name] ?? parameter.default;
      return { parameter: { ...parameter, max }, inForce, effective: Math.min(inForce, max) };
    });
}

function isInPlay(
  { spec, declarations }: DraftContext['environment'],
  { name, playedBy, awaits, live }: ManifestParameter,
): boolean {
  const isSaid = (word: string): boolean =>
    declarations.some(
      ({ target, text }) => target !== `set ${name}` && tokenize(text).some((token) => token.text === word),
    );
  if (awaits !== null && !isSaid(awaits)) return false;
  if (playedBy === null || spec.scripted[playedBy.group] === playedBy.policy) return true;
  // Declarations may read the attribute, whoever plays.
  return live !== null && isSaid(live.attribute);
}

/** Settings by what they are of, the name before the point: at most as many of each, and as many, as one question offers. */
export function settingFamilies(settings: readonly Setting[]): [family: string, settings: Setting[]][] {
  const familyOf = ({ parameter: { name } }: Setting): string => name.split('.')[0] ?? name;
  return [...new Set(settings.map(familyOf))]
    .slice(0, maxOptions)
    .map((family) => [
      family,
      settings.filter((setting) => familyOf(setting) === family).slice(0, maxOptions),
    ]);
}

/** Whether a parameter is what the text says of it at its top level: a stage that sets another value holds against that. */
export function isTopLevel(context: DraftContext): (setting: Setting) => boolean {
  const { stages, index } = currentStage(context);
  const words = tokenize(stages[index]?.text ?? '').map(({ text }) => text);
  return ({ parameter: { name } }) => !sets(words, name);
}

/** Whether "set NAME =" stands among the words. */
function sets(words: readonly string[], name: string): boolean {
  const wanted = ['set', ...tokenize(name).map(({ text }) => text), '='];
  return words.some((_, at) => wanted.every((word, i) => words[at + i] === word));
}
