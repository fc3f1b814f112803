import type { ManifestIndex } from '../../manifest-index.ts';
import { spellParameter } from '../../spell.ts';
import type { DeclarationKindName } from '../../types.ts';

interface Snippet {
  readonly doc: string;
  readonly body: string;
}

/** A whole declaration of a kind to fill in, with names that the scenario has. */
export function declarationSnippet(kind: DeclarationKindName, index: ManifestIndex | null): Snippet {
  const { doc, body } = snippets[kind](vocabularyOf(index));
  return { doc, body: body.replace(/<(\d):([^>]*)>/g, (_, number, text) => `\${${number}:${text}}`) };
}

/** Below, `<1:name>` is a place to fill in. Names with which a first declaration makes sense. */
interface Vocabulary {
  readonly set: string;
  readonly writable: string;
  readonly metric: string;
  readonly parameter: string;
  readonly value: string;
  readonly capacity: string;
  readonly spawn: string;
  readonly behaviour: string;
  readonly npcs: string;
}

function vocabularyOf(index: ManifestIndex | null): Vocabulary {
  const manifest = index?.manifest;
  const parameter = manifest?.parameters.find(({ coach }) => coach) ?? manifest?.parameters[0];
  const groups = manifest?.groups ?? [];
  const event = manifest?.events.find(({ verb }) => verb === 'spawn') ?? manifest?.events[0];
  return {
    set: groups[0]?.name ?? 'agent',
    writable: manifest?.attributes.find((a) => a.kind === 'agent' && a.writable)?.name ?? 'accel',
    metric: manifest?.metrics[0]?.name ?? 'episode_return',
    parameter: parameter?.name ?? 'name',
    value: parameter === undefined ? '1' : spellParameter(parameter, parameter.default),
    capacity: manifest?.capacities[0]?.set ?? groups[0]?.name ?? 'agent',
    spawn: event === undefined ? 'spawn thing' : `${event.verb} ${event.name}`,
    behaviour: manifest?.behaviours.find(({ target }) => target === 'none')?.name ?? 'hold',
    npcs: groups.at(-1)?.name ?? 'agent',
  };
}

const block = (head: string, ...clauses: string[]): string =>
  `${head} {\n${clauses.map((clause) => `  ${clause}\n`).join('')}}`;

const snippets: Readonly<Record<DeclarationKindName, (names: Vocabulary) => Snippet>> = {
  mission: () => ({
    doc: 'What the agents are for, in a person’s words.',
    body: 'mission "<1:what the agents are for>"',
  }),
  set: ({ parameter, value }) => ({
    doc: 'A parameter of the scenario, within its bounds.',
    body: `set <1:${parameter}> = <2:${value}>`,
  }),
  capacity: ({ capacity }) => ({
    doc: 'Room for members that stages and regimes add later.',
    body: `capacity <1:${capacity}> \${2:8}`,
  }),
  without: () => ({
    doc: 'Drops a declaration of the file that this one extends.',
    body: 'without <1:rule> <2:name>',
  }),
  rule: ({ set, writable }) => ({
    doc: 'Changes attributes for the step in which its condition holds.',
    body: block(
      'rule <1:name> "<2:what it does>"',
      `for a in <3:${set}>`,
      'when <4:time < 1 s>',
      `then a.<5:${writable}> *= \${6:1.2}`,
    ),
  }),
  reward: ({ set }) => ({
    doc: 'A shaping component beside the base reward.',
    body: block(
      'reward <1:name> "<2:what it rewards>"',
      `for a in <3:${set}>`,
      'when <4:condition>',
      'give <5:0.05> to a',
      'decay half every <6:500k steps>',
      'limit <7:10>% of nominal',
    ),
  }),
  constraint: ({ set }) => ({
    doc: 'What must never, or always, hold: violations are counted and may cost a penalty.',
    body: block(
      'constraint <1:name> "<2:what must hold>"',
      `for a in <3:${set}>`,
      'never <4:condition>',
      'penalty <5:0.1> to a',
    ),
  }),
  event: ({ spawn }) => ({
    doc: 'Something that happens in the world at a time or on a condition.',
    body: block('event <1:name> "<2:what happens>"', 'every <3:200 steps>', `<4:${spawn}>`),
  }),
  npc: ({ npcs, behaviour }) => ({
    doc: 'What agents that nobody trains do: the first behaviour whose condition holds.',
    body: block(
      'npc <1:name> "<2:how they act>"',
      `control <3:${npcs}>`,
      `<4:${behaviour}> when \${5:condition}`,
      `otherwise <6:${behaviour}>`,
    ),
  }),
  regime: ({ parameter, value }) => ({
    doc: 'A state of the world that settings define, or a condition recognises.',
    body: block(
      'regime <1:name> "<2:definition>"',
      `set <3:${parameter}> = <4:${value}>`,
      'ramp <5:20 steps>',
    ),
  }),
  schedule: () => ({
    doc: 'When regimes are entered and left.',
    body: block('schedule', 'every <1:200 steps> enter <2:regime>', 'leave after <3:60>..<4:120> steps'),
  }),
  metric: ({ set }) => ({
    doc: 'A measure of an episode, recorded beside the scenario’s.',
    body: block(
      'metric <1:name> "<2:what it measures>"',
      `for a in <3:${set}>`,
      '<4:expression>',
      'unit <5:m>',
      'over episode <6:mean>',
    ),
  }),
  issue: ({ metric }) => ({
    doc: 'A symptom over metrics that makes the coach look.',
    body: block('issue <1:name> "<2:the symptom>"', `when <3:${metric}> < \${4:0}`, 'for <5:3> evaluations'),
  }),
  stage: ({ parameter, value, metric }) => ({
    doc: 'A step of the curriculum; stages follow each other in the order of the text.',
    body: block(
      'stage <1:name> "<2:what is learnt>"',
      `set <3:${parameter}> = <4:${value}>`,
      `until <5:${metric}> > \${6:0} for \${7:3} evaluations`,
    ),
  }),
};
