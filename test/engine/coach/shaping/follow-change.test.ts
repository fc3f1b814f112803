import { describe, expect, test } from 'vitest';
import { bindToRun } from '../../../../src/engine/coach/in-force.ts';
import { shapingDefaults, undisciplined } from '../../../../src/engine/coach/shaping/discipline.ts';
import {
  beginWith,
  type FollowInput,
  followChange,
  type RunningEnvironment,
  specInForce,
} from '../../../../src/engine/coach/shaping/follow-change.ts';
import { coachEdl, compiled, spreadText } from '../../../support/coach-world.ts';

const edl = bindToRun(coachEdl, { opponents: {}, stage: null, capacities: {} });
const first = compiled();
const near = 'reward near { for a in agent give -distance(a, nearest(landmark)) / 10 to a }';

function change(
  op: 'add' | 'modify' | 'remove',
  target: string,
  declaration = '',
  text = spreadText,
): string {
  const result = coachEdl.applyChanges(text, [{ op, target, edl: declaration }]);
  if ('refused' in result) throw new Error(result.refused.message);
  return result.text;
}

function follow(before: RunningEnvironment, text: string, changes: Partial<FollowInput> = {}) {
  return followChange({
    edl,
    before,
    text,
    environment: compiled(text),
    first,
    discipline: shapingDefaults,
    trainedSteps: 1000,
    ...changes,
  });
}

const begun = beginWith(spreadText, first);
const halfway = (running: RunningEnvironment): RunningEnvironment => ({
  ...running,
  components: running.components.map((each) => ({ ...each, weight: (each.weight + each.goal) / 2 })),
  changedAt: 900,
});
const states = ({ components }: RunningEnvironment) =>
  components.map(({ name, weight, goal, isCoachMade, fades }) => [name, weight, goal, isCoachMade, fades]);

describe('followChange', () => {
  test('a new reward begins at nothing and is the coach’s', () => {
    const after = follow(begun, change('add', 'reward near', near));
    expect(states(after)).toEqual([
      ['crowding', 1, 1, false, null],
      ['near', 0, 1, true, null],
    ]);
    expect(after.text).toBe(after.declared);
  });

  test('one that was scaled begins by paying what it paid', () => {
    const text = change(
      'modify',
      'reward crowding',
      spreadText.match(/reward[\s\S]*?give -1 to a\s*}/)?.[0].replace('-1', '-0.25'),
    );
    expect(states(follow(begun, text))).toEqual([['crowding', 4, 1, true, null]]);
    expect(follow(begun, text).components[0]?.span).toBe(3);
  });

  test('one that is gone stays in the text that trains, under a name of its own, until it has faded', () => {
    const text = change('remove', 'reward crowding');
    const after = follow(begun, text);
    expect(after.declared).toBe(text);
    expect(states(after)).toEqual([['crowding_fades', 1, 0, false, 'crowding']]);
    expect(after.environment.declarations.map(({ target }) => target)).toContain('reward crowding_fades');
    expect(compiled(after.text).identity).toBe(after.environment.identity);

    const going = halfway(after);
    const further = follow(going, change('add', 'reward near', near, text));
    expect(states(further)).toEqual([
      ['crowding_fades', 0.5, 0, false, 'crowding'],
      ['near', 0, 1, true, null],
    ]);
    const gone = { ...going, components: going.components.map((each) => ({ ...each, weight: 0 })) };
    expect(states(follow(gone, change('add', 'reward near', near, text)))).toEqual([
      ['near', 0, 1, true, null],
    ]);
  });

  test('what comes back while it fades goes on from there, and is whose it was', () => {
    const removed = halfway(follow(begun, change('remove', 'reward crowding')));
    expect(states(follow(removed, spreadText))).toEqual([['crowding', 0.5, 1, false, null]]);
  });

  test('what became another reward under the same name fades beside it', () => {
    const text = change('modify', 'reward crowding', near.replace('near', 'crowding'));
    expect(states(follow(begun, text))).toEqual([
      ['crowding', 0, 1, true, null],
      ['crowding_fades', 1, 0, false, 'crowding'],
    ]);
  });

  test('an unchanged text goes on as it is, with what has faded too: copies need not begin anew', () => {
    const running = halfway(follow(begun, change('remove', 'reward crowding')));
    expect(follow(running, running.declared)).toBe(running);
  });

  test('what needs something that is gone too ends at once', () => {
    const gust = 'event gust { every 5 steps for a in agent disturb push a by 1 m/s }';
    const windfall = 'reward windfall { for a in agent when recent(gust, 2 steps) give 1 to a }';
    const withGust = change('add', 'event gust', gust);
    const with2 = change('add', 'reward windfall', windfall, withGust);
    const before = beginWith(with2, compiled(with2));
    expect(states(follow(before, spreadText))).toEqual([['crowding', 1, 1, false, null]]);
  });

  test('and nothing else ends with it', () => {
    const gust = 'event gust { every 5 steps for a in agent disturb push a by 1 m/s }';
    const windfall = 'reward windfall { for a in agent when recent(gust, 2 steps) give 1 to a }';
    const all = [
      ['event gust', gust],
      ['reward windfall', windfall],
      ['reward near', near],
    ].reduce((text, [target = '', edl]) => change('add', target, edl, text), spreadText);
    const text = change('remove', 'set agent.accel');
    const without = change('remove', 'reward crowding', '', text);
    expect(states(follow(beginWith(all, compiled(all)), without))).toEqual([
      ['crowding_fades', 1, 0, false, 'crowding'],
      ['near_fades', 1, 0, false, 'near'],
    ]);
  });

  test('without a discipline changes hold at once', () => {
    const discipline = undisciplined;
    const text = change('add', 'reward near', near, change('remove', 'reward crowding'));
    const after = follow(begun, text, { discipline });
    expect(states(after)).toEqual([['near', 1, 1, true, null]]);
    expect(specInForce(after, discipline).shaping?.joint).toBeNull();
  });

  test('weights that may only jump begin where they stood', () => {
    const discipline = { ...undisciplined, freeze: 100 };
    expect(states(follow(begun, change('add', 'reward near', near), { discipline }))).toEqual([
      ['crowding', 1, 1, false, null],
      ['near', 0, 1, true, null],
    ]);
  });

  test('in a trial the change holds at once, what is on its way goes on', () => {
    const adding = halfway(follow(begun, change('add', 'reward near', near)));
    const text = change('remove', 'reward crowding', '', adding.declared);
    expect(states(follow(adding, text, { isTrial: true }))).toEqual([['near', 0.5, 1, true, null]]);
    expect(states(follow(adding, text))).toEqual([
      ['crowding_fades', 1, 0, false, 'crowding'],
      ['near', 0.5, 1, true, null],
    ]);
  });
});

describe('specInForce', () => {
  test('bounds the coach’s terms together by a share of the nominal return, potentials apart', () => {
    const potential = 'reward closer { for a in agent give -distance(a, nearest(landmark)) to a potential }';
    const text = change('add', 'reward closer', potential, change('add', 'reward near', near));
    const after = follow(begun, text);
    const { shaping } = specInForce(after, { ...shapingDefaults, share: 0.5 });
    expect(after.components.map(({ name }) => name)).toEqual(['closer', 'crowding', 'near']);
    expect(shaping?.joint).toEqual({ components: [2], limit: 0.5 * first.manifest.nominalReturn });
    expect([...(shaping?.weights ?? [])]).toEqual([0, 1, 0]);
    expect([...(shaping?.course.target ?? [])]).toEqual([1, 1, 1]);
  });
});
