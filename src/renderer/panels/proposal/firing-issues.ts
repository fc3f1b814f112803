import { formatValue } from '../../components/format.ts';

export interface FiringIssue {
  /** "red_1: lone_wolf", or the name alone where it is about all. */
  readonly title: string;
  readonly doc: string;
  /** The condition and the last values of what it names. */
  readonly detail: string;
}

type Json = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The issues that fired when a coach was asked, out of the snapshot it saw; none where that cannot be read. */
export function firingIssues(snapshot: string): readonly FiringIssue[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(snapshot);
  } catch {
    return [];
  }
  const issues = isRecord(parsed) && Array.isArray(parsed.issues) ? parsed.issues : [];
  return issues.filter((issue: unknown) => isRecord(issue) && issue.isFiring === true).map(describeIssue);
}

function describeIssue({ name, subject, doc, condition, evidence }: Json): FiringIssue {
  const values = Object.entries(isRecord(evidence) ? evidence : {}).map(
    ([metric, value]) => `${metric} ${typeof value === 'number' ? formatValue(value) : '?'}`,
  );
  return {
    title: typeof subject === 'string' ? `${subject}: ${textOf(name)}` : textOf(name),
    doc: textOf(doc),
    detail: [textOf(condition), ...values].join(' · '),
  };
}
