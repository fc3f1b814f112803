import type { ManifestParameter } from '../../../shared/rl/manifest.ts';
import { convert, describeDimension, isSameDimension, type Measure, measureOf } from '../dimension.ts';
import { readQuantity } from '../elaborate/quantity.ts';
import type { Setting, SettingValue, SignedQuantity } from '../generated/ast.ts';
import { spellChoice, spellParameter, spellQuantity } from '../spell.ts';
import { suggestNames } from '../suggest.ts';
import type { DeclarationKind, ParameterDraft } from './kind.ts';

const flags: ReadonlyMap<string, number> = new Map([
  ['true', 1],
  ['false', 0],
]);
/** What a switch is called elsewhere, as the language spells it. */
const otherSpellings: ReadonlyMap<string, 'true' | 'false'> = new Map([
  ['yes', 'true'],
  ['on', 'true'],
  ['1', 'true'],
  ['no', 'false'],
  ['off', 'false'],
  ['0', 'false'],
]);

/** `set NAME = VALUE`: a parameter of the scenario, within the manifest's bounds. */
export const settingKind: DeclarationKind<Setting> = {
  keyword: 'set',
  nameOf: (node) => node.path.join('.'),
  docOf: () => '',
  explain({ index }, node) {
    const name = node.path.join('.');
    const parameter = index.parameters.get(name);
    if (parameter === undefined) return [];
    const value = node.value.$cstNode?.text ?? '';
    const usual = spellParameter(parameter, parameter.default);
    if (parameter.kind === 'bool' || parameter.kind === 'choice')
      return [`set ${name} = ${value} (the scenario has ${usual}): ${parameter.doc}`];
    const range = `${spellQuantity(parameter.min, parameter.unit)} to ${spellQuantity(parameter.max, parameter.unit)}`;
    return [`set ${name} = ${value} (the scenario has ${usual}; ${range}): ${parameter.doc}`];
  },
  readParameters(draft, node) {
    const name = node.path.join('.');
    const parameter = draft.index.parameters.get(name);
    if (parameter === undefined) return reportParameter(draft, node, name);
    if (draft.values.has(name)) {
      draft.reporter.report('EDL210', { node }, `'${name}' is set twice`);
      return;
    }
    const value = readValue(draft, node.value, parameter);
    if (value === null) return;
    if (!isWithinBounds(draft, node.value, parameter, value)) return;
    draft.values.set(name, value);
  },
};

function reportParameter(draft: ParameterDraft, node: Setting, name: string): void {
  const isWritable = draft.index.manifest.attributes.some(
    (attribute) => attribute.writable && attribute.name === node.path.at(-1),
  );
  if (isWritable && suggestNames(name, draft.index.parameters.keys()).length === 0) {
    const message = `'${name}' is no parameter: a rule changes it step by step ('then a.${node.path.at(-1)} *= …')`;
    draft.reporter.report('EDL203', { node, property: 'path' }, message);
    return;
  }
  draft.reporter.reportUnknown(
    'EDL203',
    { node, property: 'path' },
    'parameter',
    name,
    draft.index.parameters.keys(),
  );
}

/** The index of the name that is written, as a word or quoted. */
function readChoice(draft: ParameterDraft, node: SettingValue, parameter: ManifestParameter): number | null {
  const { name, choices } = parameter;
  const written =
    node.$type === 'Flag' ? node.word : node.$type === 'Quoted' ? node.text : (node.$cstNode?.text ?? '');
  const index = choices.indexOf(written);
  if (index >= 0 && node.$type !== 'SignedQuantity') return index;
  const near = index >= 0 ? [written] : suggestNames(written, choices);
  const message = `${name} is one of ${choices.map(spellChoice).join(', ')}`;
  const offered = near.length > 0 ? near : choices.slice(0, 3);
  draft.reporter.report('EDL307', { node }, message, offered.map(spellChoice));
  return null;
}

function readValue(draft: ParameterDraft, node: SettingValue, parameter: ManifestParameter): number | null {
  if (parameter.kind === 'choice') return readChoice(draft, node, parameter);
  if (parameter.kind === 'bool') {
    const flag = node.$type === 'Flag' ? flags.get(node.word) : undefined;
    if (flag !== undefined) return flag;
    const meant = otherSpellings.get(node.$cstNode?.text.trim() ?? '');
    const hint = meant === undefined ? '' : `; write '${meant}'`;
    draft.reporter.report(
      'EDL307',
      { node },
      `${parameter.name} is true or false${hint}`,
      meant === undefined ? ['true', 'false'] : [meant],
    );
    return null;
  }
  if (node.$type !== 'SignedQuantity') {
    draft.reporter.report('EDL307', { node }, `${parameter.name} is a number`, [
      spellQuantity(parameter.default, parameter.unit),
    ]);
    return null;
  }
  const stepSeconds = draft.index.manifest.stepSeconds;
  const quantity = readQuantity(draft.reporter, node, stepSeconds);
  if (quantity === null) return null;
  const measure = measureOf(parameter.unit, stepSeconds);
  const value = inParameterUnit(draft, node, parameter, quantity.measure, measure, quantity.value);
  if (value === null) return null;
  const signed = node.isNegative && value !== 0 ? -value : value;
  if (parameter.kind === 'int' && !Number.isInteger(signed)) {
    const nearest = spellQuantity(Math.round(signed), parameter.unit);
    draft.reporter.report('EDL307', { node }, `${parameter.name} is a whole number`, [nearest]);
    return null;
  }
  return signed;
}

function inParameterUnit(
  draft: ParameterDraft,
  node: SignedQuantity,
  parameter: ManifestParameter,
  stated: Measure | null,
  wanted: Measure,
  value: number,
): number | null {
  if (stated === null) return value;
  if (isSameDimension(stated.dimension, wanted.dimension)) return convert(value, stated, wanted);
  const message = `${parameter.name} is ${describeDimension(wanted.dimension)}, not ${describeDimension(stated.dimension)}`;
  draft.reporter.report('EDL302', { node }, message, [spellQuantity(value, parameter.unit)]);
  return null;
}

function isWithinBounds(
  draft: ParameterDraft,
  node: SettingValue,
  parameter: ManifestParameter,
  value: number,
): boolean {
  if (value >= parameter.min && value <= parameter.max) return true;
  const bound = value < parameter.min ? parameter.min : parameter.max;
  const range = `${spellQuantity(parameter.min, parameter.unit)} to ${spellQuantity(parameter.max, parameter.unit)}`;
  draft.reporter.report('EDL401', { node }, `${parameter.name} ranges from ${range}`, [
    spellQuantity(bound, parameter.unit),
  ]);
  return false;
}
