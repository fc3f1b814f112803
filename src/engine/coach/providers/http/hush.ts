import { shortestSecret } from './endpoint-url.ts';

/** Takes out of a text what nobody may read. */
export type Hush = (words: string) => string;

/** Escapes before one character that are followed: a string of JSON within three others has up to fifteen. */
const mostEscapes = 16;

/**
 * Takes a key out of what an endpoint sends back, in an answer or in an error, so that it does not come on record. It is asked of every string
 * once JSON is read, and a string may hold JSON again: however often the key's characters are escaped, and in whatever case (hosts
 * are told in lower case), it is found.
 */
export function hushing(key: string | null): Hush {
  if (key === null || key.length < shortestSecret) return (words) => words;
  const pattern = new RegExp([...key].map(written).join(''), 'gi');
  return (words) => words.replace(pattern, '[key]');
}

/** All ways in which a character can stand in JSON. */
function written(character: string): string {
  const plain = character.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  const code = character.charCodeAt(0).toString(16).padStart(4, '0');
  return `(?:\\\\{0,${mostEscapes}}${plain}|\\\\{1,${mostEscapes}}u${code})`;
}
