import { functionTable, isFunctionName } from '../function-names.ts';
import type { ManifestIndex } from '../manifest-index.ts';
import { spellParameter } from '../spell.ts';
import type { SourceRange } from '../types.ts';
import { framesOf, type Position } from './assist-text.ts';
import {
  attributeMeaning,
  behaviourMeaning,
  eventMeaning,
  type Meaning,
  metricMeaning,
  parameterMeaning,
  relationMeaning,
  setMeaning,
  signalMeaning,
  spellValue,
  unitMeanings,
} from './glossary.ts';
import { keywordMeanings } from './keyword-meanings.ts';
import { knownMetrics } from './metrics.ts';
import { symbolAt } from './resolve-symbol.ts';
import { readSetting, type Scene } from './scene.ts';
import { keyOf, type Referent } from './symbol.ts';

export interface Hover {
  readonly range: SourceRange;
  readonly markdown: string;
}

/** Current values by name: metrics, reward components, parameters of the run that is looked at. */
export type RunValues = Readonly<Record<string, number>>;

/** What the name at a position means, with its values here and in a run; null where there is nothing to say. */
export function hover(scene: Scene, position: Position, values: RunValues = {}): Hover | null {
  const found = symbolAt(scene, scene.text.offsetOf(position));
  if (found === null) return null;
  const meaning = meaningOf(scene, found.symbol);
  if (meaning === null) return null;
  const lines = [
    `**${found.symbol.name}** · ${meaning.what}`,
    meaning.detail,
    meaning.doc,
    valueHere(scene, found.symbol, found.start),
    valueInRun(scene, found.symbol, values),
  ];
  return { range: scene.text.rangeOf(found), markdown: lines.filter((line) => line !== '').join('\n\n') };
}

function meaningOf(scene: Scene, symbol: Referent): Meaning | null {
  if (symbol.kind === 'declaration') return declarationMeaning(scene, symbol);
  if (symbol.kind === 'variable') {
    const set = symbol.variable.set.replaceAll(' ', '');
    return { what: 'variable', detail: `a member of ${set}`, doc: '' };
  }
  return (
    languageMeaning(scene, symbol) ?? (scene.index === null ? null : manifestMeaning(scene.index, symbol))
  );
}

function declarationMeaning(scene: Scene, symbol: Referent & { kind: 'declaration' }): Meaning | null {
  const found = scene.declarations.find(
    ({ view }) => view.keyword === symbol.keyword && view.name === symbol.name,
  );
  const metric =
    symbol.keyword === 'metric' ? knownMetrics(scene).find(({ name }) => name === symbol.name) : undefined;
  const where = found === undefined || found.file === null ? '' : `from ${found.file}`;
  const detail =
    metric === undefined ? where : [metricMeaning(metric).detail, where].filter(Boolean).join(', ');
  return found === undefined ? null : { what: symbol.keyword, detail, doc: found.view.doc };
}

function languageMeaning(scene: Scene, { kind, name }: Referent): Meaning | null {
  switch (kind) {
    case 'unit': {
      const doc = unitMeanings[name];
      return doc === undefined ? null : { what: 'unit', detail: '', doc };
    }
    case 'keyword': {
      const doc = keywordMeanings.get(name);
      return doc === undefined ? null : { what: 'keyword', detail: '', doc };
    }
    case 'function':
      return isFunctionName(name)
        ? { what: 'function', detail: `\`${functionTable[name].signature}\``, doc: functionTable[name].doc }
        : null;
    case 'scenario': {
      const manifest = scene.index?.manifest;
      if (manifest?.name !== name) return null;
      const size = `${manifest.numAgents} agents, ${manifest.episodeLength} steps of ${manifest.stepSeconds} s`;
      return { what: 'scenario', detail: `${manifest.title}: ${size}`, doc: manifest.doc };
    }
    case 'base': {
      const [nearest] = scene.bases;
      return nearest === undefined ? null : { what: 'file', detail: nearest.file, doc: '' };
    }
    default:
      return null;
  }
}

function manifestMeaning(index: ManifestIndex, symbol: Referent): Meaning | null {
  const { name } = symbol;
  const from = <T>(map: ReadonlyMap<string, T>, meaning: (item: T) => Meaning): Meaning | null => {
    const item = map.get(name);
    return item === undefined ? null : meaning(item);
  };
  switch (symbol.kind) {
    case 'parameter':
      return from(index.parameters, parameterMeaning);
    case 'attribute':
      return from(index.attributes[symbol.of], attributeMeaning);
    case 'set':
      return from(index.sets, (set) => setMeaning(set, index));
    case 'entity':
      return from(index.entities, ({ kind }) => ({ what: kind, detail: setsWith(index, name), doc: '' }));
    case 'signal':
      return from(index.signals, signalMeaning);
    case 'metric':
      return from(index.metrics, metricMeaning);
    case 'relation':
      return from(index.relations, relationMeaning);
    case 'event': {
      const event = index.manifest.events.find((candidate) => `${candidate.verb} ${candidate.name}` === name);
      return event === undefined ? null : eventMeaning(event);
    }
    case 'behaviour':
      return from(index.behaviours, behaviourMeaning);
    default:
      return null;
  }
}

function setsWith(index: ManifestIndex, name: string): string {
  const entity = index.entities.get(name)?.index ?? -1;
  const sets = [...index.sets.values()].filter((set) => !set.dynamic && set.entities.includes(entity));
  return sets.length === 0 ? '' : `in ${sets.map((set) => set.name).join(', ')}`;
}

/** The value a parameter has in this text; where a regime or a stage sets it, that one first. */
function valueHere(scene: Scene, symbol: Referent, offset: number): string {
  const { index, written } = scene;
  const parameter = symbol.kind === 'parameter' ? index?.parameters.get(symbol.name) : undefined;
  if (parameter === undefined) return '';
  const value = written.get(parameter.name);
  const shown = (number: number) => spellParameter(parameter, number);
  const usual = value === undefined ? `${shown(parameter.default)} (the default)` : `**${shown(value)}**`;
  const own = settingAround(scene, parameter.name, offset);
  return own === null ? `Here: ${usual}` : `In ${own.where}: **${shown(own.value)}**; otherwise ${usual}`;
}

/** What the regime or stage around an offset sets a parameter to there; null outside of one. */
function settingAround(
  { text, index }: Scene,
  name: string,
  offset: number,
): { readonly where: string; readonly value: number } | null {
  const view = text.declarations.find(({ start, end }) => start <= offset && offset < end);
  if (index === null || view === undefined || (view.keyword !== 'regime' && view.keyword !== 'stage'))
    return null;
  const setting = view.steps.find(({ token }) => token.start === offset)?.frame;
  if (setting?.rule.name !== 'Setting') return null;
  const steps = view.steps.filter(({ frame }) => [...framesOf(frame)].includes(setting));
  const value = readSetting(steps, name, index);
  return value === null ? null : { where: `${view.keyword} ${view.name}`, value };
}

function valueInRun(scene: Scene, symbol: Referent, values: RunValues): string {
  const value = values[symbol.name];
  if (value === undefined || !isMeasured(symbol)) return '';
  const unit = knownMetrics(scene).find(({ name }) => name === symbol.name)?.unit ?? 'none';
  const parameter = symbol.kind === 'parameter' ? scene.index?.parameters.get(symbol.name)?.unit : undefined;
  const signal = symbol.kind === 'signal' ? scene.index?.signals.get(symbol.name)?.unit : undefined;
  return `In the selected run: **${spellValue(value, parameter ?? signal ?? unit)}**`;
}

function isMeasured(symbol: Referent): boolean {
  return /^(metric|parameter|signal|declaration) /.test(keyOf(symbol));
}
