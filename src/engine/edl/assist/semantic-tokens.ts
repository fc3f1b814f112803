import { type SemanticTokenType, semanticTokenTypes } from '../../../shared/contract/edl-documents.ts';
import type { AssistText } from './assist-text.ts';
import type { Role } from './grammar-graph.ts';
import type { Step } from './grammar-walk.ts';
import type { Scene } from './scene.ts';

/**
 * Names of the text by what they are: five numbers each, as in the Language Server Protocol (line and character relative
 * to the token before, length, type, 0). Words of the language, numbers and prose are left to the highlighter.
 */
export function semanticTokens(scene: Scene): number[] {
  const data: number[] = [];
  const { text } = scene;
  let last = { line: 0, character: 0 };
  for (const { step, type } of typedSteps(scene, text)) {
    const at = text.lines.position(step.token.start);
    const line = at.line - last.line;
    const length = step.token.end - step.token.start;
    data.push(line, line === 0 ? at.character - last.character : at.character, length, type, 0);
    last = at;
  }
  return data;
}

function* typedSteps(scene: Scene, text: AssistText): Generator<{ step: Step; type: number }> {
  for (const step of text.header) {
    const type =
      step.role?.feature === 'scenario' ? 'scenario' : step.role?.feature === 'name' ? 'declaration' : null;
    if (type !== null) yield { step, type: semanticTokenTypes.indexOf(type) };
  }
  for (const { steps } of text.declarations) {
    const variables = new Set(
      steps.filter((step) => step.role?.feature === 'variable').map((step) => step.token.text),
    );
    for (const step of steps) {
      const type = step.role === null ? null : typeOf(scene, step, step.role, variables);
      if (type !== null) yield { step, type: semanticTokenTypes.indexOf(type) };
    }
  }
}

const byProperty: Readonly<Record<string, SemanticTokenType>> = {
  'Setting.path': 'parameter',
  'Loop.variable': 'variable',
  'Aggregate.variable': 'variable',
  'Quantifier.variable': 'variable',
  'Call.name': 'function',
  'Aggregate.name': 'function',
  'Quantifier.name': 'function',
  'Capacity.set': 'set',
  'Control.name': 'set',
  'EventAction.event': 'event',
  'Behaviour.name': 'behaviour',
  'Otherwise.name': 'behaviour',
  'Start.regime': 'declaration',
  'ScheduleEntry.regimes': 'declaration',
  'Without.path': 'declaration',
};

function typeOf(
  { index }: Scene,
  { token, frame }: Step,
  { rule, feature, nameType }: Role,
  variables: ReadonlySet<string>,
): SemanticTokenType | null {
  if (nameType === 'Unit') return token.text === '%' ? null : 'unit';
  const fixed = byProperty[`${rule}.${feature}`];
  if (fixed !== undefined) return fixed;
  if (feature === 'name' && frame === frame.declaration) return 'declaration';
  if (!/^(SetExpression|Target|Reference|Call|Quantifier)$/.test(rule)) return null;
  if (feature === 'path') return pathType(index, token.text);
  if (feature !== 'name' && feature !== 'argument') return null;
  if (variables.has(token.text) || token.text === 'self') return 'variable';
  if (index?.sets.has(token.text) || index?.entities.has(token.text)) return 'set';
  if (index?.metrics.has(token.text)) return 'metric';
  if (index?.signals.has(token.text)) return 'signal';
  return rule === 'SetExpression' ? 'function' : null;
}

function pathType(index: Scene['index'], name: string): SemanticTokenType {
  return index?.relations.has(name) ? 'function' : 'attribute';
}
