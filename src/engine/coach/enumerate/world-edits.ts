import type { ManifestEvent, ScenarioManifest } from '../../../shared/rl/manifest.ts';
import type { DeclarationInfo } from '../../edl/types.ts';
import { block, sizeOf } from './addition-templates.ts';
import { formatNumber, scaleNumberAfter } from './declaration-text.ts';
import {
  type DraftContext,
  type DraftEdit,
  declarationsOf,
  describe,
  draftModification,
  impact,
} from './draft.ts';
import type { WorldScale } from './world-scale.ts';

/** Targets of each kind of addition at most: two such kinds share one list of options. */
const maxAdded = 4;

/** How often an added event comes, as a share of an episode. */
const eventShares = [0.2, 0.5] as const;

/** Things that may happen to the agents from time to time: what the scenario can disturb or bring. */
export function draftEvents(context: DraftContext): DraftEdit[] {
  const { environment, objective } = context;
  const { manifest } = environment;
  const taken = new Set(declarationsOf(context, 'event').map(({ name }) => name));
  return manifest.events
    .map((event) => ({
      event,
      name: `${event.name}_at_times`,
      clauses: happening(event, manifest, objective.group),
    }))
    .filter(({ name, clauses }) => clauses !== null && !taken.has(name))
    .slice(0, maxAdded)
    .flatMap(({ event, name, clauses }) =>
      eventShares.map((share): DraftEdit => {
        const steps = Math.max(1, Math.round(manifest.episodeLength * share));
        const doc = `Now and then: ${firstSentence(event.doc)}`;
        return {
          kind: 'addEvent',
          target: `${event.verb} ${event.name}`,
          value: `every ${steps} steps`,
          change: {
            op: 'add',
            target: `event ${name}`,
            edl: block(`event ${name} "${doc}"`, [`every ${steps} steps`, ...(clauses ?? [])]),
            description: `Add event ${name} (${doc}).`,
            implementation_hint: event.name,
            expected_impact: impact(context, 'small', 'agents that met more of what can happen do better'),
          },
        };
      }),
    );
}

/** To whom and what; null for what only takes away. */
function happening(event: ManifestEvent, manifest: ScenarioManifest, group: string): string[] | null {
  if (event.verb === 'remove') return null;
  if (event.placed) return [`${event.verb} ${event.name} at random`];
  if (event.target === 'none') return [`${event.verb} ${event.name}`];
  const landmarks = manifest.sets.find(({ kind, dynamic }) => kind === 'landmark' && !dynamic);
  const set = event.target === 'agent' ? group : landmarks?.name;
  return set === undefined ? null : [`for a in ${set}`, `${event.verb} ${event.name} a`];
}

/** Prose of manifests may hold quotes, which a declaration's may not. */
function firstSentence(doc: string): string {
  return (doc.split(/[.;:]/)[0] ?? doc).replaceAll('"', "'");
}

const penalties = [0.05, 0.2] as const;

/** Bounds on where agents may be, each with a penalty. */
export function draftConstraints(context: DraftContext, { length, reward }: WorldScale): DraftEdit[] {
  const { environment, objective } = context;
  const { group } = objective;
  const taken = new Set(declarationsOf(context, 'constraint').map(({ name }) => name));
  const near = `${formatNumber(0.3 * length)} m`;
  const far = `${formatNumber(length)} m`;
  const landmark = environment.manifest.sets.find(
    ({ kind, dynamic }) => kind === 'landmark' && !dynamic,
  )?.name;
  const isTeam = sizeOf(environment.manifest, group) > 1;
  const shapes = [
    ...(isTeam
      ? [
          {
            name: 'room',
            doc: 'Keep away from each other',
            bound: `never distance(a, nearest(${group})) < ${near}`,
          },
          {
            name: 'together',
            doc: 'The group does not fall apart',
            bound: `always distance(a, centroid(${group})) < ${far}`,
          },
        ]
      : []),
    ...(landmark === undefined
      ? []
      : [
          {
            name: 'at_work',
            doc: `Nobody strays far from every ${landmark}`,
            bound: `always distance(a, nearest(${landmark})) < ${far}`,
          },
        ]),
  ];
  return shapes
    .filter(({ name }) => !taken.has(name))
    .slice(0, maxAdded)
    .flatMap(({ name, doc, bound }) =>
      penalties.map(
        (penalty): DraftEdit => ({
          kind: 'addConstraint',
          target: doc,
          value: `penalty ${penalty}`,
          change: {
            op: 'add',
            target: `constraint ${name}`,
            edl: block(`constraint ${name} "${doc}"`, [
              `for a in ${group}`,
              bound,
              `penalty ${formatNumber(penalty * reward)} to a`,
            ]),
            description: `Add constraint ${name} (${doc}).`,
            implementation_hint: 'distance',
            expected_impact: impact(context, penalty <= 0.05 ? 'small' : 'medium', doc),
          },
        }),
      ),
    );
}

/** What can be turned of a kind: the words before the number, and by how much. */
const dials: readonly {
  readonly kind: DeclarationInfo['kind'];
  readonly after: readonly string[];
  readonly factors: readonly number[];
  readonly words: (factor: number) => string;
  readonly why: (target: string, factor: number) => string;
}[] = [
  {
    kind: 'event',
    after: ['every'],
    factors: [0.5, 2, 4],
    words: (factor) => (factor < 1 ? 'twice as often' : `${factor} times as rare`),
    why: (target, factor) =>
      factor < 1 ? `${target} comes too rarely to be learned` : `${target} comes too often`,
  },
  {
    kind: 'constraint',
    after: ['penalty'],
    factors: [0.1, 0.25, 2, 4],
    words: (factor) => `penalty times ${factor}`,
    why: (target, factor) =>
      factor < 1 ? `${target} outweighs what agents are paid for` : `${target} is not felt`,
  },
  {
    kind: 'npc',
    after: ['when', '<'],
    factors: [0.5, 2],
    words: (factor) => `first bound times ${factor}`,
    why: (target) => `against another ${target} agents learn more`,
  },
];

const sorts: Readonly<Record<string, string>> = {
  event: 'an event',
  constraint: 'a constraint',
  npc: 'an opponent',
};

/** Events made rarer or more frequent, penalties of constraints and conditions of npcs scaled. */
export function draftAdjustments(context: DraftContext): DraftEdit[] {
  return dials.flatMap(({ kind, after, factors, words, why }) =>
    declarationsOf(context, kind)
      .slice(0, maxAdded)
      .flatMap((declaration) =>
        factors.flatMap((factor) => {
          const edl = scaleNumberAfter(declaration.text, after, factor, kind === 'event');
          if (edl === null) return [];
          return draftModification(context, declaration, {
            kind: 'adjust',
            family: sorts[kind] ?? kind,
            value: words(factor),
            edl,
            description: `Change ${describe(declaration)}: ${words(factor)}.`,
            size: factor <= 0.25 || factor >= 4 ? 'large' : 'medium',
            why: why(declaration.target, factor),
          });
        }),
      ),
  );
}
