import type { RegimeIr, ScheduleEntryIr } from '../ir.ts';
import type { LoweringScope } from './entities.ts';
import type { NodeId } from './graph.ts';
import { drawBelow, dueNode, happensNode } from './moments.ts';
import { stepNode } from './recent.ts';
import type { Action } from './schedule.ts';

/** Draw numbers an entry of the schedule has to itself: entries that come and go shift no draws of earlier ones. */
const drawsPerEntry = 64;
const draws = { chance: 0, leave: 1, choice: 2 } as const;

interface LoweredEntry {
  /** Whether it is this entry that decides the step. */
  readonly wins: NodeId;
  /** Index of the regime it enters. */
  readonly target: NodeId;
  /** The step at which the default comes back; null: none. */
  readonly leaveAt: NodeId | null;
  /** What it remembers of the order in which it enters regimes. */
  readonly actions: readonly Action[];
}

interface EntryPlace {
  readonly entry: ScheduleEntryIr;
  readonly number: number;
  readonly declaration: number;
  readonly regimes: readonly RegimeIr[];
  /** Whether an earlier entry decided the step already. */
  readonly isTaken: NodeId;
}

/** One entry of the schedule: when it fires, what it enters, and for how long. */
export function lowerEntry(scope: LoweringScope, place: EntryPlace): LoweredEntry {
  const { graph } = scope;
  const { entry, number, declaration, isTaken } = place;
  const first = number * drawsPerEntry;
  const due = dueNode(scope, entry.moment);
  const fires = graph.and(due, happensNode(scope, declaration, first + draws.chance, entry.chance));
  const wins = graph.and(fires, graph.not(isTaken));
  const leaveAt =
    entry.leave === null ? null : leaveNode(scope, declaration, first + draws.leave, entry.leave);
  return { wins, leaveAt, ...chooseRegime(scope, place, wins) };
}

/** A whole number of steps from now, uniform within the range. */
function leaveNode(
  scope: LoweringScope,
  declaration: number,
  draw: number,
  { from, to }: { readonly from: number; readonly to: number },
): NodeId {
  const { graph } = scope;
  const stay =
    from === to
      ? graph.number(from)
      : graph.make(
          'ADD',
          graph.number(from),
          drawBelow(graph, declaration, draw, graph.number(to - from + 1)),
        );
  return graph.make('ADD', stepNode(scope), stay);
}

type Choice = Pick<LoweredEntry, 'target' | 'actions'>;

function chooseRegime(scope: LoweringScope, place: EntryPlace, wins: NodeId): Choice {
  const targets = place.entry.regimes.map((name) =>
    place.regimes.findIndex((regime) => regime.name === name),
  );
  const [only = 0] = targets;
  if (targets.length === 1) return { target: scope.graph.number(only), actions: [] };
  return place.entry.order === 'turn'
    ? chooseInTurn(scope, place, targets, wins)
    : chooseAtRandom(scope, place, targets, wins);
}

/** One after the other, as listed: a word holds whose turn it is. */
function chooseInTurn(
  { graph, table }: LoweringScope,
  { entry, number }: EntryPlace,
  targets: readonly number[],
  wins: NodeId,
): Choice {
  const word = table.word(`turn ${number} of ${entry.regimes.join(' ')}`, 0);
  const turn = graph.make('RECALL', word);
  const next = graph.make('MOD', graph.make('ADD', turn, graph.number(1)), graph.number(targets.length));
  const [first = 0, ...rest] = targets;
  const target = rest.reduce((so, regime, i) => {
    return graph.select(graph.same(turn, graph.number(i + 1)), graph.number(regime), so);
  }, graph.number(first));
  return { target, actions: [{ op: 'STORE', dst: word, a: 0, b: next, c: wins }] };
}

/**
 * A fresh permutation for every round: each entering takes one of those that are left, each as likely as the others.
 * A word per regime holds whether it was taken in this round.
 */
function chooseAtRandom(
  { graph, table }: LoweringScope,
  { entry, number, declaration }: EntryPlace,
  targets: readonly number[],
  wins: NodeId,
): Choice {
  const words = targets.map((_, i) => table.word(`round ${number} of ${entry.regimes.join(' ')}: ${i}`, 0));
  const isLeft = words.map((word) => graph.not(graph.make('RECALL', word)));
  const numLeft = isLeft.reduce((sum, left) => graph.make('ADD', sum, left));
  const wanted = drawBelow(graph, declaration, number * drawsPerEntry + draws.choice, numLeft);
  const isLast = graph.make('LE', numLeft, graph.number(1));
  const actions: Action[] = [];
  let passed = graph.number(0);
  let target = graph.number(targets[0] ?? 0);
  targets.forEach((regime, i) => {
    const left = isLeft[i] ?? graph.number(0);
    const word = words[i] ?? 0;
    const isIt = graph.and(left, graph.same(passed, wanted));
    target = graph.select(isIt, graph.number(regime), target);
    const isUsed = graph.or(graph.not(left), isIt);
    const next = graph.and(graph.not(isLast), isUsed);
    actions.push({ op: 'STORE', dst: word, a: 0, b: next, c: wins });
    passed = graph.make('ADD', passed, left);
  });
  return { target, actions };
}
