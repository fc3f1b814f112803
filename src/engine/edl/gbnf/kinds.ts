import { indexManifest } from '../manifest-index.ts';
import { type DeclarationKindName, declarationKindNames } from '../types.ts';
import { checkRequest } from './check-request.ts';
import { Clauses } from './clauses.ts';
import { Conditions } from './conditions.ts';
import type { GrammarBuilder } from './grammar-builder.ts';
import { OutlineKinds } from './outline-kinds.ts';
import { type GrammarRequest, type KindBody, type KindRule, namedInText, namesOf } from './request.ts';
import { RewardKinds } from './reward-kinds.ts';
import { RuleKind } from './rule-kind.ts';
import { Terms } from './terms.ts';
import { Values } from './values.ts';
import { Vocabulary } from './vocabulary.ts';
import { WorldKinds } from './world-kinds.ts';

/** Kinds a request means without naming any: a mission is a person's, and what can be dropped must be said. */
const usualKinds = declarationKindNames.filter((kind) => kind !== 'mission' && kind !== 'without');

/** How the kinds of a request are written; kinds that the manifest has nothing for are left out. Throws input.invalid. */
export function kindRules(builder: GrammarBuilder, request: GrammarRequest): KindRule[] {
  const index = indexManifest(request.manifest);
  checkRequest(request, index);
  const terms = new Terms(builder, new Vocabulary(index, namedInText(request)));
  const conditions = new Conditions(terms, namesOf('event', request.targets));
  const clauses = new Clauses(terms, conditions);
  const values = new Values(terms, conditions);
  const writers: Writers = {
    rules: new RuleKind(clauses, values),
    rewards: new RewardKinds(clauses, values),
    world: new WorldKinds(clauses),
    outline: new OutlineKinds(terms, conditions, request),
  };
  const kinds = [...new Set(request.kinds ?? usualKinds)];
  return kinds
    .map((kind) => kindRule(kind, writers, request))
    .filter(isOpen)
    .map((rule) => shareBodies(builder, rule));
}

/** Bodies become rules of their own, which several names and places refer to. */
function shareBodies(builder: GrammarBuilder, rule: KindRule): KindRule {
  const shared = ({ primitive, rule: body }: KindBody): KindBody => {
    return { primitive, rule: builder.define(`${rule.kind} of ${primitive}`, () => body) };
  };
  return { ...rule, bodies: rule.bodies.map(shared) };
}

interface Writers {
  readonly rules: RuleKind;
  readonly rewards: RewardKinds;
  readonly world: WorldKinds;
  readonly outline: OutlineKinds;
}

function kindRule(
  kind: DeclarationKindName,
  { rules, rewards, world, outline }: Writers,
  request: GrammarRequest,
): KindRule {
  switch (kind) {
    case 'mission':
      return { kind, named: null, bodies: outline.mission(), hasName: false, isSingle: true };
    case 'set':
      return ofManifest(kind, outline.settings());
    case 'capacity':
      return ofManifest(kind, outline.capacities());
    case 'without':
      return ofManifest(kind, outline.omissions());
    case 'rule':
      return withName(kind, rules.rules());
    case 'reward':
      return withName(kind, rewards.rewards());
    case 'constraint':
      return withName(kind, rewards.constraints());
    case 'event':
      return withName(kind, world.events());
    case 'npc':
      return {
        ...withName(kind, world.npcs(request.npcGroups, Object.values(request.npcs ?? {}))),
        isSingle: true,
      };
    case 'metric':
      return withName(kind, rewards.metrics());
    case 'issue':
      return withName(kind, outline.issues());
    case 'stage':
      return withName(kind, outline.stages());
    case 'regime':
      return withName(kind, outline.regimes(request.regimes ?? 'recognised'));
    case 'schedule':
      return { kind, named: null, bodies: outline.schedule(), hasName: false, isSingle: true };
  }
}

const withName = (kind: DeclarationKindName, bodies: KindBody[]): KindRule => ({
  kind,
  named: null,
  bodies,
  hasName: true,
  isSingle: false,
});

const ofManifest = (kind: DeclarationKindName, named: ReadonlyMap<string, KindBody>): KindRule => {
  return { kind, named, bodies: [], hasName: true, isSingle: false };
};

function isOpen({ named, bodies }: KindRule): boolean {
  return [...(named?.values() ?? []), ...bodies].some(({ rule }) => rule.kind !== 'never');
}
