import { isFunctionName } from '../function-names.ts';
import type { ManifestIndex } from '../manifest-index.ts';
import { framesOf } from './assist-text.ts';
import { callAround, readsOf } from './completion/place.ts';
import { type ExpressionPlace, evaluateText } from './evaluate.ts';
import type { Step } from './grammar-walk.ts';
import type { Scene } from './scene.ts';
import { joinTokens, stepsOf, variablesAt } from './scope.ts';
import type { NamedKind, Referent, SymbolAt } from './symbol.ts';

/** A step with what is around it. */
interface Site {
  readonly scene: Scene;
  readonly step: Step;
  /** The tokens of the declaration it stands in. */
  readonly steps: readonly Step[];
  readonly place: ExpressionPlace;
}

/** What the token of a step stands for; null for signs, numbers, prose and names that mean nothing. */
export function resolveStep(scene: Scene, step: Step, steps: readonly Step[]): SymbolAt | null {
  const { role, token, frame } = step;
  if (role === null) return null;
  const place = { variables: variablesAt(steps, frame, token.start), reads: readsOf(frame) };
  const site: Site = { scene, step, steps, place };
  const resolved = resolveRole(site, `${role.rule}.${role.feature}`);
  if (resolved === null) return null;
  return 'symbol' in resolved ? resolved : { symbol: resolved, start: token.start, end: token.end };
}

function resolveRole(site: Site, property: string): Referent | SymbolAt | null {
  const { step } = site;
  const { role, token } = step;
  if (role?.nameType === 'Unit' || property === 'MetricUnit.unit') return named('unit', token.text);
  const resolver = resolvers[property];
  if (resolver !== undefined) return resolver(site);
  if (role?.feature === 'name' && step.frame === step.frame.declaration) return ownName(site);
  if (
    /^[a-z]/i.test(token.text) &&
    (role?.feature === null || role?.nameType === null || isKindWord(role?.nameType))
  )
    return named('keyword', token.text);
  return null;
}

function isKindWord(nameType: string | null | undefined): boolean {
  return nameType === 'NamedKind' || nameType === 'SingleKind';
}

const resolvers: Readonly<Record<string, (site: Site) => Referent | SymbolAt | null>> = {
  'Environment.name': ({ step }) => named('environment', step.token.text),
  'Environment.scenario': ({ step }) => named('scenario', step.token.text),
  'Environment.base': ({ step }) => named('base', step.token.text.replace(/^"|"$/g, '')),
  'Setting.path': (site) => whole(site, 'path', (name) => named('parameter', name)),
  'Capacity.set': setOrEntity,
  'Control.name': setOrEntity,
  'Loop.variable': ownVariable,
  'Aggregate.variable': ownVariable,
  'Quantifier.variable': ownVariable,
  'SetExpression.name': setOrEntity,
  'SetExpression.argument': variableOrSet,
  'Target.name': variableOrSet,
  'Target.path': member,
  'Reference.name': reference,
  'Reference.path': member,
  'Call.name': functionName,
  'Call.path': member,
  'Quantifier.path': member,
  'Aggregate.name': functionName,
  'Quantifier.name': functionName,
  'EventAction.event': eventName,
  'Behaviour.name': ({ step }) => named('behaviour', step.token.text),
  'Otherwise.name': ({ step }) => named('behaviour', step.token.text),
  'Start.regime': ({ step }) => ({ kind: 'declaration', keyword: 'regime', name: step.token.text }),
  'ScheduleEntry.regimes': ({ step }) => ({ kind: 'declaration', keyword: 'regime', name: step.token.text }),
  'Without.path': droppedName,
  'Flag.word': () => null,
  'PolicyName.name': () => null,
  'Fold.fold': ({ step }) => named('keyword', step.token.text),
  'Better.direction': ({ step }) => named('keyword', step.token.text),
};

function named(kind: NamedKind, name: string): Referent {
  return { kind, name };
}

/** A dotted name of which the step is a part. */
function whole({ step, steps }: Site, feature: string, make: (name: string) => Referent): SymbolAt | null {
  const tokens = stepsOf(steps, step.frame, feature).map((part) => part.token);
  const [first] = tokens;
  const last = tokens.at(-1);
  if (first === undefined || last === undefined) return null;
  return { symbol: make(tokens.map((token) => token.text).join('.')), start: first.start, end: last.end };
}

function ownName({ step, steps }: Site): Referent {
  const keyword = steps.find((other) => other.frame === step.frame)?.token.text ?? '';
  return { kind: 'declaration', keyword: keyword as 'rule', name: step.token.text };
}

function droppedName({ step, steps }: Site): SymbolAt | null {
  const keyword = steps.find((other) => other.frame === step.frame && other.role?.feature === 'kind')?.token
    .text;
  if (keyword === undefined) return null;
  const make = (name: string): Referent =>
    keyword === 'set' ? named('parameter', name) : { kind: 'declaration', keyword: keyword as 'rule', name };
  return whole({ step, steps } as Site, 'path', make);
}

function ownVariable({ step, steps }: Site): Referent | null {
  const name = step.token.text;
  const set = joinTokens(stepsOf(steps, step.frame, 'set'));
  return { kind: 'variable', name, variable: { name, token: step.token, set, frame: step.frame } };
}

/** Events are told apart by verb and name: "spawn supply", "remove supply". */
function eventName({ step, steps }: Site): Referent {
  const verb = steps.find((other) => other.frame === step.frame && other.role?.feature === 'verb')?.token
    .text;
  return named('event', `${verb ?? ''} ${step.token.text}`);
}

function setOrEntity({ scene, step }: Site): Referent | null {
  const { text } = step.token;
  if (scene.index?.sets.has(text)) return named('set', text);
  if (scene.index?.entities.has(text)) return named('entity', text);
  return isFunctionName(text) ? named('function', text) : null;
}

function variableOrSet(site: Site): Referent | null {
  const { step, place } = site;
  const variable = place.variables.findLast((candidate) => candidate.name === step.token.text);
  return variable === undefined ? setOrEntity(site) : { kind: 'variable', name: variable.name, variable };
}

function functionName({ step }: Site): Referent | null {
  return isFunctionName(step.token.text) ? named('function', step.token.text) : null;
}

function reference(site: Site): Referent | SymbolAt | null {
  const { step, steps, scene } = site;
  if (callAround(steps, step.frame)?.name === 'recent')
    return { kind: 'declaration', keyword: 'event', name: step.token.text };
  const isVariable = site.place.variables.some(({ name }) => name === step.token.text);
  const name = isVariable ? null : dotted(site, scene.index);
  return name ?? variableOrSet(site) ?? bareAttribute(site);
}

/** In an npc, an attribute of the agent itself. */
function bareAttribute({ scene, step, steps, place }: Site): Referent | null {
  if (steps[0]?.token.text !== 'npc') return null;
  const self = evaluateText(scene, place, 'self');
  const isKnown = self?.type === 'entity' && scene.index?.attributes[self.kind].has(step.token.text) === true;
  return isKnown && self?.type === 'entity'
    ? { kind: 'attribute', name: step.token.text, of: self.kind }
    : null;
}

/** Signals, parameters and metrics have dotted names. */
function dotted(site: Site, index: ManifestIndex | null): SymbolAt | null {
  const { step, steps, scene, place } = site;
  const own = steps.filter(
    (other) => other.frame === step.frame && /^(name|path)$/.test(other.role?.feature ?? ''),
  );
  const name = own.map((other) => other.token.text).join('.');
  const symbol = dottedSymbol(scene, index, name, place.reads);
  const [first] = own;
  if (symbol === null || first === undefined) return null;
  return { symbol, start: first.token.start, end: own.at(-1)?.token.end ?? first.token.end };
}

function dottedSymbol(
  scene: Scene,
  index: ManifestIndex | null,
  name: string,
  reads: ExpressionPlace['reads'],
): Referent | null {
  if (reads === 'metrics') {
    const metric = metricSymbol(scene, name);
    if (metric !== null) return metric;
  }
  if (reads === 'state' && index?.signals.has(name)) return named('signal', name);
  return index?.parameters.has(name) ? named('parameter', name) : null;
}

function metricSymbol(scene: Scene, name: string): Referent | null {
  if (scene.index?.metrics.has(name)) return named('metric', name);
  const isDeclared = scene.declarations.some(({ view }) => view.keyword === 'metric' && view.name === name);
  return isDeclared ? { kind: 'declaration', keyword: 'metric', name } : null;
}

/** What follows a dot. */
function member(site: Site): Referent | SymbolAt | null {
  const { scene, step, steps, place } = site;
  const before = steps.filter(
    (other) => other.token.start < step.token.start && [...framesOf(other.frame)].includes(step.frame),
  );
  const text = joinTokens(before).replace(/[\s.]+$/, '');
  const set = step.frame.rule.name === 'Target' ? scene.index?.sets.get(text) : undefined;
  const value = set === undefined ? evaluateText(scene, place, text) : null;
  const of = set?.kind ?? (value?.type === 'entity' ? value.kind : null);
  const name = step.token.text;
  if (of === null) return dotted(site, scene.index);
  if (place.reads === 'metrics') return metricSymbol(scene, name);
  if (scene.index?.attributes[of].has(name)) return { kind: 'attribute', name, of };
  return scene.index?.relations.has(name) ? named('relation', name) : null;
}

/** The symbol at an offset of the text. */
export function symbolAt(scene: Scene, offset: number): SymbolAt | null {
  const step = scene.text.stepAt(offset);
  if (step === null) return null;
  const declaration = scene.text.declarationAt(step.token.start);
  return resolveStep(scene, step, declaration?.steps ?? scene.text.header);
}
