import { describe, expect, test } from 'vitest';
import type { EnumeratedEdit } from '../../../../src/engine/coach/enumerate/enumerate-edits.ts';
import { chooseOptions } from '../../../../src/engine/coach/probe/choose-options.ts';

function edit(kind: EnumeratedEdit['kind'], target: string, value: string): EnumeratedEdit {
  const change = {
    ...{ op: 'modify' as const, target, edl: '', description: '', implementation_hint: '' },
    expected_impact: { metric: 'episode_return', direction: 'up', size: 'small', why: '' },
  } as const;
  return { kind, target, value, change, text: '', identity: `${kind} ${target} ${value}` };
}

const numbers = Array.from({ length: 40 }, (_, i) => String(i));
const edits = [
  edit('remove', 'reward wrong', ''),
  ...numbers.map((value) => edit('scale', 'reward wrong', value)),
  ...numbers.map((value) => edit('set', 'set agent.accel', value)),
];

describe('chooseOptions', () => {
  test('takes the removal, some of what changes the fault, and others, in their order', () => {
    const options = chooseOptions(edits, 'reward wrong', 'a');
    expect(options).toHaveLength(20);
    expect(options[0]?.kind).toBe('remove');
    expect(options.filter(({ kind }) => kind === 'scale')).toHaveLength(5);
    expect(options).toEqual(edits.filter((each) => options.includes(each)));
  });

  test('is the same for a key, and other edits for another', () => {
    expect(chooseOptions(edits, 'reward wrong', 'a')).toEqual(chooseOptions(edits, 'reward wrong', 'a'));
    expect(chooseOptions(edits, 'reward wrong', 'b')).not.toEqual(chooseOptions(edits, 'reward wrong', 'a'));
  });

  test('takes all there are where there are few', () => {
    expect(chooseOptions(edits.slice(0, 4), 'reward wrong', 'a')).toHaveLength(4);
  });
});
