import { parseArgs } from 'node:util';

/** What tools/label-defects.ts is told. */
export interface LabelOptions {
  /** Defects that are labelled at a time. */
  readonly jobs: number;
  /** Names; null: all. */
  readonly only: readonly string[] | null;
  /** Labels what has labels, too. */
  readonly again: boolean;
}

/** Throws: TypeError for an option that there is not, RangeError for jobs that are no whole number from 1 on. */
export function readLabelOptions(args: readonly string[]): LabelOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      jobs: { type: 'string', default: '1' },
      only: { type: 'string', multiple: true },
      again: { type: 'boolean', default: false },
    },
  });
  const jobs = Number(values.jobs);
  if (!Number.isInteger(jobs) || jobs < 1)
    throw new RangeError(`--jobs has to be a whole number from 1 on, not "${values.jobs}"`);
  return { jobs, only: values.only ?? null, again: values.again };
}

/** Arguments for a process that labels one defect, by itself. */
export function argumentsFor(name: string, { again }: LabelOptions): string[] {
  return ['--only', name, ...(again ? ['--again'] : [])];
}

/** Works through the items, so many at a time, and gives the worst exit code. */
export async function shareOut(
  items: readonly string[],
  jobs: number,
  work: (item: string) => Promise<number>,
): Promise<number> {
  const left = [...items];
  const takeTurns = async (): Promise<number> => {
    let worst = 0;
    for (let item = left.shift(); item !== undefined; item = left.shift())
      worst = Math.max(worst, await work(item));
    return worst;
  };
  return Math.max(0, ...(await Promise.all(Array.from({ length: jobs }, takeTurns))));
}
