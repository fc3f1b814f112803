import { describe, expect, test } from 'vitest';
import { coachKinds } from '../../../../src/engine/coach/config.ts';
import { answerGrammar } from '../../../../src/engine/coach/providers/answer-grammar.ts';
import { proseLengths, textLimits } from '../../../../src/engine/coach/providers/answer-limits.ts';
import { checkChange } from '../../../../src/engine/coach/validate/check-changes.ts';
import { parseProposal } from '../../../../src/engine/coach/validate/parse-proposal.ts';
import { longestCompletion, proposalGrammar, walkGrammar } from '../../../../src/engine/edl/index.ts';
import { coachEdl, compiled, spreadText } from '../../../support/coach-world.ts';
import { Draw } from '../../../support/edl-generator/draw.ts';
import { GbnfReader } from '../../../support/gbnf-reader.ts';

const environment = compiled();
const metrics = ['coverage', 'episode_return'];
const grammar = new GbnfReader(answerGrammar(environment, metrics).gbnf);

const change = {
  op: 'modify',
  target: 'reward crowding',
  edl: 'reward crowding {\n  for a in agent\n  give -0.1 to a\n}',
  description: 'Less of it',
  implementation_hint: 'agent',
  expected_impact: { metric: 'coverage', direction: 'up', size: 'small', why: 'It misleads' },
};
const answer = (changes: readonly object[]): string =>
  JSON.stringify({ analysis: 'The agents keep off.', changes, wishes: [] });

describe('answerGrammar', () => {
  test('lets a model change, add and remove what the environment has', () => {
    const removal = { ...change, op: 'remove', edl: '', implementation_hint: 'crowding' };
    const parameter = {
      ...change,
      target: 'set agent.accel',
      edl: 'set agent.accel = 5 m/s^2',
      implementation_hint: 'agent.accel',
    };
    const addition = {
      ...change,
      op: 'add',
      target: 'rule slow_down',
      edl: 'rule slow_down {\n  for a in agent\n  when a.vx > 1 m/s\n  then a.accel *= 0.5\n}',
    };
    for (const one of [change, removal, parameter, addition])
      expect(grammar.accepts(answer([one])), one.target).toBe(true);
    const second = {
      ...addition,
      target: 'rule speed_up',
      edl: addition.edl.replace('slow_down', 'speed_up'),
    };
    expect(grammar.accepts(answer([change, second]))).toBe(true);
  });

  test.each([
    ['a target that is not there', { ...change, target: 'reward crowd' }],
    ['a text that declares something else', { ...change, edl: change.edl.replace('crowding', 'approach') }],
    ['an unknown attribute', { ...change, edl: change.edl.replace('-0.1', 'a.luck') }],
    ['an unknown set', { ...change, edl: change.edl.replace('in agent', 'in wolf') }],
    [
      'a length without its unit',
      { ...change, edl: change.edl.replace('give', 'when distance(a, landmark_0) < 1\n  give') },
    ],
    ['what is a person’s', { ...change, target: 'mission', edl: 'mission "Win"' }],
    [
      'an issue',
      { ...change, target: 'issue uncovered', edl: 'issue uncovered {\n  when coverage < 10%\n}' },
    ],
    ['an unknown metric', { ...change, expected_impact: { ...change.expected_impact, metric: 'happiness' } }],
    ['a hint at what the text does not use', { ...change, implementation_hint: 'landmark' }],
    ['blanks without end', { ...change, description: 'Less   of it' }],
  ])('does not let it write %s', (_, wrong) => {
    expect(grammar.accepts(answer([wrong]))).toBe(false);
  });

  test('does not let it change one thing twice', () => {
    expect(grammar.accepts(answer([change, change]))).toBe(false);
  });

  test('lets it change what an npc does, but not who plays a group', () => {
    const npc = 'npc raider {\n  control blue\n  chase nearest(red) when health > 0.5\n  otherwise patrol\n}';
    const played = compiled(`environment x extends capture {\n${npc}\n}`);
    const held = new GbnfReader(answerGrammar(played, metrics).gbnf);
    const other = {
      ...change,
      target: 'npc raider',
      edl: npc.replace('chase', 'attack'),
      implementation_hint: 'blue',
    };
    expect(held.accepts(answer([other]))).toBe(true);
    expect(
      held.accepts(answer([{ ...other, edl: npc.replace('blue', 'red'), implementation_hint: 'red' }])),
    ).toBe(false);
    expect(held.accepts(answer([{ ...other, op: 'remove', edl: '', implementation_hint: 'raider' }]))).toBe(
      false,
    );
    expect(answerGrammar(played, metrics).gbnf).not.toContain('npc guardian');
  });

  test('what it lets through is read, consistent and applicable (seed 12)', () => {
    const draw = new Draw(12);
    const rules = proposalGrammar({
      manifest: environment.manifest,
      author: 'coach',
      kinds: coachKinds,
      targets: environment.declarations.map(({ target }) => target),
      metrics,
      maxChanges: textLimits.changes,
      lengths: proseLengths,
    });
    let numRefused = 0;
    for (let i = 0; i < 200; i++) {
      const raw = walkGrammar(rules, () => draw.next());
      const { changes } = parseProposal(raw);
      expect(
        changes.flatMap((one) => checkChange(one, environment)),
        raw,
      ).toEqual([]);
      if ('refused' in coachEdl.applyChanges(spreadText, changes)) numRefused++;
    }
    expect(numRefused).toBeLessThanOrEqual(4);
    // What is read of an answer is longer than the longest that can be written.
    expect(longestCompletion(rules)).toBeLessThan(3000);
  });
});
