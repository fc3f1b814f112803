import type { z } from 'zod';

const kinds: Readonly<Record<string, string>> = {
  number: 'a number',
  int: 'a whole number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'a block of keys',
  record: 'a block of keys',
};

/** What a schema finds, in the words of whoever wrote the file; messages that a schema words itself stay. */
export function describeIssuePlainly(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'too_small':
      return /^Too small/.test(issue.message)
        ? bound(issue.origin, issue.minimum, issue.inclusive, 'least')
        : issue.message;
    case 'too_big':
      return /^Too big/.test(issue.message)
        ? bound(issue.origin, issue.maximum, issue.inclusive, 'most')
        : issue.message;
    case 'invalid_type':
      return /^Invalid input/.test(issue.message)
        ? `must be ${kinds[issue.expected] ?? issue.expected}${issue.message.endsWith('NaN') ? ', not NaN' : ''}`
        : issue.message;
    case 'invalid_value':
      return /^Invalid (option|input)/.test(issue.message)
        ? `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`
        : issue.message;
    default:
      return issue.message;
  }
}

function bound(
  origin: string,
  limit: number | bigint,
  isInclusive: boolean | undefined,
  side: 'least' | 'most',
): string {
  if (origin === 'string') return `must have at ${side} ${limit} character${Number(limit) === 1 ? '' : 's'}`;
  if (origin === 'array') return `must have at ${side} ${limit} ${Number(limit) === 1 ? 'entry' : 'entries'}`;
  if (isInclusive === false) return `must be ${side === 'least' ? 'above' : 'below'} ${limit}`;
  return `must be at ${side} ${limit}`;
}
