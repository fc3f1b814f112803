/** A study as the split sees it. */
export interface SplitStudy {
  readonly studyId: string;
  /** What it may have in common with others: those that share any are kin. */
  readonly keys: readonly string[];
  readonly examples: number;
}

export interface Placed {
  /** Named after the family's oldest study. */
  readonly family: string;
  readonly part: 'train' | 'test';
}

/**
 * Divides studies by family: what shares a key, directly or through others, goes into one part. Families are taken in the order of their oldest study, the first into train, the
 * second into test, each further one where more is missing of its share of the examples: studies that are added
 * later move no earlier ones, unless they make two families one.
 *
 * Requires: oldest first.
 */
export function splitStudies(studies: readonly SplitStudy[], trainShare: number): Map<string, Placed> {
  const placed = new Map<string, Placed>();
  const counts = { train: 0, test: 0 };
  for (const [index, family] of gatherFamilies(studies).entries()) {
    const size = family.reduce((sum, { examples }) => sum + examples, 0);
    const part = choosePart(counts, size, trainShare, index);
    counts[part] += size;
    const name = family[0]?.studyId ?? '';
    for (const { studyId } of family) placed.set(studyId, { family: name, part });
  }
  return placed;
}

function choosePart(
  counts: Readonly<Record<Placed['part'], number>>,
  size: number,
  trainShare: number,
  index: number,
): Placed['part'] {
  if (trainShare >= 1) return 'train';
  if (trainShare <= 0) return 'test';
  if (index < 2) return index === 0 ? 'train' : 'test';
  const all = counts.train + counts.test + size;
  return trainShare * all - counts.train >= (1 - trainShare) * all - counts.test ? 'train' : 'test';
}

/** Connected by common keys; families and their studies keep the order of the studies. */
export function gatherFamilies(studies: readonly SplitStudy[]): SplitStudy[][] {
  const families: { studies: SplitStudy[]; keys: Set<string> }[] = [];
  for (const study of studies) {
    const kin = families.filter((family) => study.keys.some((key) => family.keys.has(key)));
    const [first, ...others] = kin;
    if (first === undefined) {
      families.push({ studies: [study], keys: new Set(study.keys) });
      continue;
    }
    for (const other of others) {
      first.studies.push(...other.studies);
      for (const key of other.keys) first.keys.add(key);
      families.splice(families.indexOf(other), 1);
    }
    first.studies.push(study);
    for (const key of study.keys) first.keys.add(key);
  }
  const order = new Map(studies.map(({ studyId }, index) => [studyId, index]));
  const place = ({ studyId }: SplitStudy): number => order.get(studyId) ?? 0;
  return families.map((family) => family.studies.toSorted((a, b) => place(a) - place(b)));
}
