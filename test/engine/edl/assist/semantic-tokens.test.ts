import { expect, test } from 'vitest';
import { semanticTokens } from '../../../../src/engine/edl/assist/index.ts';
import { semanticTokenTypes } from '../../../../src/shared/contract/edl-documents.ts';
import { atCursor } from '../../../support/edl-cursor.ts';

test('names are told apart by what they are, words and numbers left to the highlighter', () => {
  const text = `environment e extends arena {
  set adversary.count = 2
  rule start {
    for m in agent
    when m.sees(nearest(zone)) and time > 3 steps
    then m.charge *= 30%
  }
}`;
  const { scene } = atCursor(text);
  const data = semanticTokens(scene);
  const rows = text.split('\n');
  let [line, character] = [0, 0];
  const found: string[] = [];
  for (let i = 0; i < data.length; i += 5) {
    const [lines = 0, characters = 0, length = 0, type = 0] = data.slice(i, i + 4);
    [line, character] = [line + lines, lines === 0 ? character + characters : characters];
    found.push(`${rows[line]?.slice(character, character + length)}:${semanticTokenTypes[type]}`);
  }
  expect(found.join(' ')).toBe(
    'e:declaration arena:scenario adversary:parameter count:parameter start:declaration m:variable agent:set ' +
      'm:variable sees:function nearest:function zone:set time:signal steps:unit m:variable charge:attribute',
  );
});
