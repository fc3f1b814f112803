import type { EnumeratedEdit } from '../enumerate/enumerate-edits.ts';
import { tellIssues } from '../snapshot/detect-issues.ts';
import { shortNumber } from '../snapshot/short-number.ts';
import type { Snapshot, SnapshotComponent } from '../snapshot/snapshot-schema.ts';

/** An edit that a rule advises, with what it found. */
export interface Advice {
  readonly rule: string;
  readonly finding: string;
  readonly edit: EnumeratedEdit;
}

/** Finds reasons for edits in a snapshot. It names edits by kind, target and value; those not enumerated fall away. */
interface Rule {
  readonly name: string;
  advise(
    snapshot: Snapshot,
    edits: readonly EnumeratedEdit[],
  ): readonly { readonly finding: string; readonly matches: (edit: EnumeratedEdit) => boolean }[];
}

const isEdit =
  (kind: EnumeratedEdit['kind'], target: string, value = '') =>
  (edit: EnumeratedEdit): boolean =>
    edit.kind === kind && edit.change.target === target && edit.value === value;

const extremes = ({ checkpoints }: SnapshotComponent): { min: number; max: number } => ({
  min: Math.min(0, ...checkpoints.map(({ min }) => min)),
  max: Math.max(0, ...checkpoints.map(({ max }) => max)),
});

/** Shaping components that only ever took away, the one that took most first. */
function penalties(snapshot: Snapshot): SnapshotComponent[] {
  return snapshot.components
    .filter(
      (component) =>
        component.kind === 'shaping' && extremes(component).min < 0 && extremes(component).max <= 0,
    )
    .sort((a, b) => extremes(a).min - extremes(b).min);
}

const firingIssues = (snapshot: Snapshot): Snapshot['issues'] =>
  snapshot.issues.filter(({ isFiring }) => isFiring);

const issueWords = (snapshot: Snapshot): string => tellIssues(firingIssues(snapshot));

/** A declared penalty stands beside an issue that fires: it keeps the agents from what the mission wants. */
const removePenalty: Rule = {
  name: 'remove a penalty while an issue fires',
  advise: (snapshot) =>
    firingIssues(snapshot).length === 0
      ? []
      : penalties(snapshot).map((component) => ({
          finding: `${issueWords(snapshot)} fires while reward ${component.name} only takes away (down to ${shortNumber(extremes(component).min)} per episode)`,
          matches: isEdit('remove', `reward ${component.name}`),
        })),
};

const dominantShare = 0.5;

/** A declared reward outweighs everything else the agents are paid for. */
const shrinkDominant: Rule = {
  name: 'shrink a dominant shaping term',
  advise: (snapshot) =>
    snapshot.components
      .filter(({ kind, share }) => kind === 'shaping' && share > dominantShare)
      .map(({ name, share }) => ({
        finding: `reward ${name} makes up ${Math.round(share * 100)} % of what the agents are paid`,
        matches: isEdit('scale', `reward ${name}`, 'times 0.25'),
      })),
};

/** A constraint that is never broken is kept: only these do nothing where they do not fire. */
const idleKinds: ReadonlySet<string> = new Set(['reward', 'rule']);

/** A reward or rule that never fired in the round does nothing but cost time. */
const removeIdle: Rule = {
  name: 'remove what never fires',
  advise: ({ declarations }) =>
    declarations
      .filter(({ kind, fireRate }) => idleKinds.has(kind) && fireRate === 0)
      .map(({ kind, name }) => ({
        finding: `${kind} ${name} never fired in the round`,
        matches: isEdit('remove', `${kind} ${name}`),
      })),
};

/** The same finding as removePenalty, answered more gently: for where removing was tried and refused. */
const shrinkPenalty: Rule = {
  name: 'shrink a penalty while an issue fires',
  advise: (snapshot) =>
    firingIssues(snapshot).length === 0
      ? []
      : penalties(snapshot).map(({ name }) => ({
          finding: `${issueWords(snapshot)} fires while reward ${name} takes away`,
          matches: isEdit('scale', `reward ${name}`, 'times 0.1'),
        })),
};

/** Words in an issue, or in the definition of a metric it names, and the reward that speaks to them. */
const remedies: readonly { readonly words: RegExp; readonly reward: RegExp; readonly value: string }[] = [
  { words: /collision|crash|bump/i, reward: /^reward keep_apart/, value: 'weight 0.2' },
  {
    words: /cover|occupi|landmark|reach|goal|target|distance/i,
    reward: /^reward approach_/,
    value: 'weight 0.2',
  },
  { words: /opponent|adversar|enemy|caught/i, reward: /^reward avoid_/, value: 'weight 0.2' },
  { words: /cooperat|together|alone/i, reward: /^reward stay_together/, value: 'weight 0.1' },
];

/** Nothing declared explains the issue: a term that speaks to what it measures is added. */
const addRemedy: Rule = {
  name: 'add a reward for what the issue misses',
  advise: (snapshot) =>
    firingIssues(snapshot).flatMap((issue) => {
      const definitions = snapshot.metrics.filter(({ name }) => name in issue.evidence).map(({ doc }) => doc);
      const words = [issue.name, issue.doc, issue.condition, ...definitions].join(' ');
      return remedies
        .filter((remedy) => remedy.words.test(words))
        .map(({ reward, value }) => ({
          finding: `${issue.name} fires: ${issue.condition}`,
          matches: (edit: EnumeratedEdit) =>
            edit.kind === 'addReward' && reward.test(edit.change.target) && edit.value === value,
        }));
    }),
};

const fewSolved = 0.1;

/** In words, where so few of the fixed starts are solved; null: more are, or it is not known. */
function hardlySolved({ learnability }: Snapshot): string | null {
  if (learnability === null) return null;
  const { episodes, always, sometimes } = learnability;
  if (always + sometimes > fewSolved * episodes) return null;
  return `${always + sometimes} of ${episodes} fixed starts were solved in any of the last evaluations`;
}

/** Nothing can be learned from what never succeeds: an easier stage comes first. Which way easier is, the trial says. */
const beginEasier: Rule = {
  name: 'begin with what is easier while hardly anything is solved',
  advise: (snapshot, edits) => {
    const finding = hardlySolved(snapshot);
    if (finding === null) return [];
    return edits
      .filter(({ kind, change }) => kind === 'curriculum' && change.op === 'add')
      .map((stage) => ({ finding, matches: (edit) => edit === stage }));
  },
};

/** Pay that comes with success alone teaches nothing while there is none: a term leads to where something can be won. */
const leadTheWay: Rule = {
  name: 'lead the way while hardly anything is solved',
  advise: (snapshot, edits) => {
    const finding = hardlySolved(snapshot);
    if (finding === null) return [];
    const ways = edits.filter(({ kind, value }) => kind === 'addReward' && value === 'weight 0.2');
    return leads
      .flatMap((reward) => ways.filter(({ change }) => reward.test(change.target)))
      .map((way) => ({ finding, matches: (edit) => edit === way }));
  },
};

/** Terms by which a reward template leads somewhere: what the scenario says of an agent and opponents or places, then the ones that pull from afar. */
const leads: readonly RegExp[] = [
  /^reward pay_(?!.*_mate$)/,
  /^reward chase_/,
  /^reward approach_/,
  /^reward reach_/,
];

const minFadingShare = 0.05;

/** Nothing is wrong that has a name, and yet the objective stands still: shaping that helped early may distract now. */
const fadeOnPlateau: Rule = {
  name: 'let shaping fade on a plateau',
  advise: (snapshot) =>
    snapshot.reason.trigger !== 'plateau'
      ? []
      : snapshot.components
          .filter(({ kind, share }) => kind === 'shaping' && share >= minFadingShare)
          .map(({ name, share }) => ({
            finding: `the objective stands still while reward ${name} still makes up ${Math.round(share * 100)} %`,
            matches: (edit: EnumeratedEdit) =>
              edit.kind === 'decay' && edit.change.target === `reward ${name}`,
          })),
};

const rules: readonly Rule[] = [
  removePenalty,
  shrinkDominant,
  removeIdle,
  shrinkPenalty,
  addRemedy,
  beginEasier,
  leadTheWay,
  fadeOnPlateau,
];

/** All advice of the table, strongest first: rule by rule, within a rule as found, each edit once. */
export function applyRules(snapshot: Snapshot, edits: readonly EnumeratedEdit[]): Advice[] {
  const advised = new Map<string, Advice>();
  for (const rule of rules) {
    for (const { finding, matches } of rule.advise(snapshot, edits)) {
      const edit = edits.find(matches);
      if (edit !== undefined && !advised.has(edit.identity))
        advised.set(edit.identity, { rule: rule.name, finding, edit });
    }
  }
  return [...advised.values()];
}

/** Names of the rules in order, for the documentation's check. */
export const ruleNames: readonly string[] = rules.map(({ name }) => name);
