import type { ScenarioManifest } from '../../../shared/rl/manifest.ts';
import { namedInExpressions } from '../elaborate/taken-names.ts';
import type { DeclarationKindName } from '../types.ts';
import type { GrammarRule } from './rule.ts';

/** What a completion may say. */
export interface GrammarRequest {
  readonly manifest: ScenarioManifest;
  /** Kinds that may be declared. Default: all that the manifest has something for, but mission and without. */
  readonly kinds?: readonly DeclarationKindName[] | undefined;
  /** A coach is not offered what the manifest reserves to a person. Default: person. */
  readonly author?: 'person' | 'coach' | undefined;
  /** Names that new declarations may have; without them a name is any two words. */
  readonly names?: readonly string[] | undefined;
  /** Declarations of the text, as targets ("reward crowding"): what can be changed, removed, and referred to. */
  readonly targets?: readonly string[] | undefined;
  /** Declarations of the file that the text extends: what `without` may drop. */
  readonly inherited?: readonly string[] | undefined;
  /** Learner groups that npcs may play. Default: all. */
  readonly npcGroups?: readonly string[] | undefined;
  /** Agents that the npcs of the text play, by the npc's name: what is in its place plays the same. */
  readonly npcs?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Declarations of the text, as targets, that others of it name: none of them may go. */
  readonly needed?: readonly string[] | undefined;
  /** Most members of each set: no count goes beyond. Default: what the manifest says. */
  readonly capacities?: Readonly<Record<string, number>> | undefined;
  /** Regimes of one environment are entered by its schedule or recognised by a condition. Default: recognised. */
  readonly regimes?: 'scheduled' | 'recognised' | undefined;
}

/** What follows the keyword and the name of a declaration of a kind, by the manifest primitive it is made of. */
export interface KindBody {
  /** A word of the manifest that every such declaration uses. */
  readonly primitive: string;
  readonly rule: GrammarRule;
}

/** How declarations of a kind are written. */
export interface KindRule {
  readonly kind: DeclarationKindName;
  /** Kinds that name a thing of the manifest instead of being given a name: the body of each, by name. */
  readonly named: ReadonlyMap<string, KindBody> | null;
  /** Bodies of kinds that are given a name, or that have none. */
  readonly bodies: readonly KindBody[];
  readonly hasName: boolean;
  /** An environment has room for one: npcs of two declarations would play the same group. */
  readonly isSingle: boolean;
}

/** Names of what expressions may name: a loop variable may not have one of them. */
export function namedInText({ targets = [], inherited = [] }: GrammarRequest): string[] {
  return [...namedInExpressions].flatMap((kind) => namesOf(kind, [...targets, ...inherited]));
}

/** Names of the declarations of a kind among targets. */
export function namesOf(kind: DeclarationKindName, targets: readonly string[] = []): string[] {
  return targets
    .filter((target) => target.startsWith(`${kind} `))
    .map((target) => target.slice(kind.length + 1));
}
