import { proposalJsonSchema } from '../../validate/parse-proposal.ts';
import type { AnswerForm } from '../generate-provider.ts';

/** An endpoint is asked for the form, and may not keep to it. */
export const heldBySchema: AnswerForm = {
  name: 'http',
  hold: () => ({ grammar: null, schema: endpointSchema() }),
  unwrap: unwrapAnswer,
};

/** Keywords that endpoints which hold answers to a schema strictly do not know; the parser holds every answer to them. */
const unknown: ReadonlySet<string> = new Set(['$schema', 'minLength', 'maxLength']);

/** The form of an answer as endpoints take it: every key required, none beyond, and no lengths. */
export function endpointSchema(): object {
  return strip(proposalJsonSchema()) as object;
}

function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !unknown.has(key))
      .map(([key, inner]) => [key, strip(inner)]),
  );
}

/**
 * The JSON in an answer that nothing held to a form: without the thoughts before it, and without the fence around it. The
 * parser decides what it is worth.
 */
export function unwrapAnswer(text: string): string {
  const thought = text.trimStart().startsWith('<think>') ? text.indexOf('</think>') : -1;
  const said = (thought === -1 ? text : text.slice(thought + '</think>'.length)).trim();
  const begin = said.indexOf('\n');
  const isFenced = said.startsWith('```') && said.endsWith('\n```') && begin < said.length - 3;
  return isFenced ? said.slice(begin + 1, -3).trim() : said;
}
