type Attributes = Readonly<Record<string, string | number | null>>;

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text that may stand between tags or in quotes; what XML does not allow is left out. */
export function escapeText(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"]/g, (character) => escapes[character] ?? '');
}

/** A tenth of a pixel is as fine as a picture has to be. */
function formatValue(value: string | number): string {
  return typeof value === 'number' ? String(Math.round(value * 10) / 10) : escapeText(value);
}

/** One element; attributes that are null are left out, numbers rounded to tenths. `content` is markup. */
export function element(name: string, attributes: Attributes, content = ''): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === null ? [] : [` ${key}="${formatValue(value)}"`],
  );
  const head = `<${name}${written.join('')}`;
  return content === '' ? `${head}/>` : `${head}>${content}</${name}>`;
}
