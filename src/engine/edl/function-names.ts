/** A function of the language, for messages, completion and the coach. */
export interface FunctionInfo {
  readonly signature: string;
  readonly doc: string;
  /** Another form, in which a condition says which members are looked at. */
  readonly choice?: string;
}

/** Everything that is written like a call or an aggregate. */
export const functionTable = {
  distance: { signature: 'distance(a, b)', doc: 'Euclidean distance between two entities, in m' },
  nearest: {
    signature: 'nearest(set)',
    choice: 'nearest(member in set where …)',
    doc: 'the nearest other member of a set: to the other argument of distance, else to the loop variable, or `to b`; only of those of which something holds: `nearest(p in set where … to b)`',
  },
  centroid: {
    signature: 'centroid(set)',
    doc: 'the mean position of the members of a set: a point, for distance; infinitely far where there is no member',
  },
  farthest: {
    signature: 'farthest(set)',
    choice: 'farthest(member in set where …)',
    doc: 'the farthest other member of a set; only of those of which something holds: `farthest(p in set where …)`',
  },
  min: { signature: 'min(x, y)', doc: 'the smaller; also `min over a in set of …`' },
  max: { signature: 'max(x, y)', doc: 'the larger; also `max over a in set of …`' },
  abs: { signature: 'abs(x)', doc: 'without its sign' },
  sqrt: { signature: 'sqrt(x)', doc: 'square root; undefined below zero' },
  clamp: { signature: 'clamp(x, low, high)', doc: 'held between two bounds' },
  count: { signature: 'count(a in set where …)', doc: 'how many members hold' },
  any: { signature: 'any(a in set where …)', doc: 'whether at least one member holds' },
  all: { signature: 'all(a in set where …)', doc: 'whether every member holds' },
  sum: { signature: 'sum over a in set of …', doc: 'sum over the members' },
  mean: { signature: 'mean over a in set of …', doc: 'mean over the members' },
  inside: {
    signature: 'inside(a, zone)',
    doc: 'whether an entity is no farther from the centre of a zone than its radius; of a set: inside any',
  },
  recent: {
    signature: 'recent(event, 50 steps)',
    doc: 'whether an event of this environment happened in the last steps, this one included',
  },
  ally: { signature: 'ally(a)', doc: 'the other agents of its group' },
  other: { signature: 'other(a)', doc: 'all other agents' },
  opponent: { signature: 'opponent(a)', doc: 'the agents of other groups' },
} as const satisfies Readonly<Record<string, FunctionInfo>>;

export type FunctionName = keyof typeof functionTable;

export function isFunctionName(name: string): name is FunctionName {
  return Object.hasOwn(functionTable, name);
}

export const functionNames: ReadonlySet<string> = new Set(Object.keys(functionTable));
