import { isSameDimension, measureOf, unitFromText, unitSpellings } from '../../dimension.ts';
import { spellQuantity } from '../../spell.ts';
import { type DeclarationKindName, declarationKindNames } from '../../types.ts';
import { framesOf, type Position } from '../assist-text.ts';
import { unitMeanings } from '../glossary.ts';
import type { Expectation } from '../grammar-walk.ts';
import type { Scene } from '../scene.ts';
import { textOf } from '../scope.ts';
import { expectedMeasure } from './expected-measure.ts';
import { type CompletionItem, completeProposal, type Proposal } from './item.ts';
import { namesFor } from './names-for.ts';
import { findPlace, surroundings } from './place.ts';
import { declarationSnippet } from './snippets.ts';

/**
 * What may be written at a position, by the grammar, the scenario and what is declared; the text need not be
 * complete. Throws: never. Cost: reads one declaration.
 */
export function complete(scene: Scene, position: Position): CompletionItem[] {
  const place = findPlace(scene.text, position);
  if (place === null) return [];
  const items = new Map<string, CompletionItem>();
  for (const expectation of place.expectations) {
    for (const proposal of proposalsFor(scene, expectation, place.start)) {
      const start = proposal.from ?? place.start;
      const range = scene.text.rangeOf({ start, end: place.offset });
      if (!items.has(proposal.label)) items.set(proposal.label, completeProposal(proposal, range));
    }
  }
  return [...items.values()].sort((a, b) => a.rank - b.rank);
}

function proposalsFor(scene: Scene, expectation: Expectation, offset: number): Proposal[] {
  const { role, type } = expectation;
  if (role.nameType === 'Unit') return unitProposals(scene, expectation, offset);
  if (type === 'ID') return namesFor(scene, expectation, offset);
  if (type === 'NUMBER') return valueProposals(scene, expectation, offset);
  const isFreeName = role.nameType !== null && /^(Name|Word)$/.test(role.nameType);
  if (isFreeName || !/^[a-z]/.test(type)) return [];
  return [keywordProposal(scene, expectation)];
}

function keywordProposal(scene: Scene, { type, role, frame, last }: Expectation): Proposal {
  const isDeclaration = frame.parent?.rule.name === 'Declaration' && role.feature === null;
  const kind = declarationKindNames.find((name) => name === type);
  // The first word of a declaration; the same word further on is a keyword like others.
  if (!isDeclaration || kind === undefined || last?.frame === frame) {
    return { label: type, kind: 'keyword', detail: '', doc: '' };
  }
  return snippetProposal(scene, kind);
}

function snippetProposal(scene: Scene, kind: DeclarationKindName): Proposal {
  const { doc, body } = declarationSnippet(kind, scene.index);
  return { label: kind, kind: 'snippet', detail: 'declaration', doc, insertText: body, isSnippet: true };
}

/** Units that fit what the number is compared with, added to or given as; all where nothing tells. */
function unitProposals(scene: Scene, expectation: Expectation, offset: number): Proposal[] {
  const { steps, place } = surroundings(expectation, offset);
  const stepSeconds = scene.index?.manifest.stepSeconds ?? 1;
  const wanted =
    expectation.frame.rule.name === 'MetricUnit'
      ? null
      : expectedMeasure({ scene, place, steps }, expectation.frame);
  return unitSpellings
    .filter((spelling) => expectation.type === spelling || expectation.type === 'RATIO_UNIT')
    .filter((spelling) => (expectation.type === 'RATIO_UNIT') === spelling.includes('/'))
    .filter((spelling) => {
      const unit = unitFromText(spelling);
      if (wanted === null || unit === undefined) return true;
      return isSameDimension(measureOf(unit, stepSeconds).dimension, wanted.dimension);
    })
    .map((spelling) => ({ label: spelling, kind: 'unit', detail: unitMeanings[spelling] ?? '', doc: '' }));
}

/** The default and the bounds of a parameter after `set NAME =`. */
function valueProposals(scene: Scene, expectation: Expectation, offset: number): Proposal[] {
  if (expectation.frame.rule.name !== 'SignedQuantity') return [];
  const { steps } = surroundings(expectation, offset);
  const setting = [...framesOf(expectation.frame)].find(({ rule }) => rule.name === 'Setting');
  const isStarted = expectation.last?.frame === expectation.frame;
  if (setting === undefined || isStarted) return [];
  const name = textOf(steps, setting, 'path').replaceAll(' ', '.');
  const parameter = scene.index?.parameters.get(name);
  if (parameter === undefined || parameter.kind === 'bool' || parameter.kind === 'choice') return [];
  const values = [
    ['default', parameter.default],
    ['least', parameter.min],
    ['most', parameter.max],
  ] as const;
  return values.map(([detail, value]) => ({
    label: spellQuantity(value, parameter.unit),
    kind: 'value',
    detail,
    doc: parameter.doc,
  }));
}
