import type { ManifestParameter } from '../../../shared/rl/manifest.ts';
import { tokenize } from './declaration-text.ts';
import { currentStage, type DraftContext, maxOptions } from './draft.ts';

/** A parameter and its value in force. */
export interface Setting {
  /** Its bounds are those within which values differ. */
  readonly parameter: ManifestParameter;
  readonly inForce: number;
  /** What that is in effect: what the default stands for, and at most the reach of the parameter. */
  readonly effective: number;
}

/** What a value of a parameter comes to: the default what it stands for, where it stands for another. */
export function meant({ default: standard, standsFor }: ManifestParameter, value: number): number {
  return value === standard ? (standsFor ?? value) : value;
}

/** What a coach may set while a run goes on and what makes a difference there, as far as the scenario says. */
export function settable({ environment }: Pick<DraftContext, 'environment'>): Setting[] {
  const { manifest, spec } = environment;
  return manifest.parameters
    .filter(({ coach, structural }) => coach && !structural)
    .filter((parameter) => isInPlay(environment, parameter))
    .map((found) => {
      const max = Math.min(found.max, found.reach ?? found.max);
      // To who reads the attribute, the default and what it stands for are two.
      const standsFor = isRead(environment, found) ? null : found.standsFor;
      const parameter = { ...found, max, standsFor };
      const inForce = spec.parameters[parameter.name] ?? parameter.default;
      return { parameter, inForce, effective: Math.min(meant(parameter, inForce), max) };
    });
}

type Environment = DraftContext['environment'];

/** Whether some declaration, the setting of the parameter itself aside, says the word. */
function isSaid({ declarations }: Environment, name: string, word: string): boolean {
  return declarations.some(
    ({ target, text }) => target !== `set ${name}` && tokenize(text).some((token) => token.text === word),
  );
}

function isRead(environment: Environment, { name, live }: ManifestParameter): boolean {
  return live !== null && isSaid(environment, name, live.attribute);
}

function isInPlay(environment: Environment, parameter: ManifestParameter): boolean {
  const { name, playedBy, awaits } = parameter;
  if (awaits !== null && !isSaid(environment, name, awaits)) return false;
  const { scripted } = environment.spec;
  // Declarations may read the attribute, whoever plays.
  return playedBy === null || scripted[playedBy.group] === playedBy.policy || isRead(environment, parameter);
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
