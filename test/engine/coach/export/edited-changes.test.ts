import { describe, expect, test } from 'vitest';
import { editedChanges } from '../../../../src/engine/coach/export/edited-changes.ts';
import { coachEdl, spreadText } from '../../../support/coach-world.ts';

describe('editedChanges', () => {
  test('tells removed, modified and added declarations', () => {
    const after = spreadText
      .replace(
        /\n {2}reward crowding[\s\S]*?\n {2}}/,
        '\n  reward closer { for a in agent give 1 - distance(a, nearest(landmark)) / 1 m to a }',
      )
      .replace('accel = 4', 'accel = 6');
    const changes = editedChanges(coachEdl, spreadText, after);
    expect(changes?.map(({ op, target }) => `${op} ${target}`)).toEqual([
      'remove reward crowding',
      'modify set agent.accel',
      'add reward closer',
    ]);
    expect(changes?.[0]?.edl).toBe('');
    const applied = coachEdl.applyChanges(spreadText, changes ?? []);
    expect('refused' in applied ? null : applied.environment.identity).toBe(
      coachEdl.compile(after).environment?.identity,
    );
  });

  test('is null where changes do not lead there: the same text, another scenario, a text with errors', () => {
    expect(editedChanges(coachEdl, spreadText, spreadText)).toBeNull();
    expect(editedChanges(coachEdl, spreadText, 'environment spread extends simple_tag {\n}\n')).toBeNull();
    expect(editedChanges(coachEdl, spreadText, spreadText.replace('give', 'gve'))).toBeNull();
  });
});
