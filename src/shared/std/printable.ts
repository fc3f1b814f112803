// Line breaks and tabs are layout; a return alone lets text be written over.
const unprintable = /\r(?!\n)|(?![\r\n\t])\p{Cc}/gu;

/** Text from elsewhere as a terminal may be given it: control characters, which could move its cursor or more, are spelled out (`\x1b`). */
export function printable(text: string): string {
  return text.replace(unprintable, (each) => `\\x${each.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
