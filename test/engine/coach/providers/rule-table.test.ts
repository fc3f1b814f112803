import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { coachKinds, grantableKinds } from '../../../../src/engine/coach/config.ts';
import { enumerateEdits } from '../../../../src/engine/coach/enumerate/enumerate-edits.ts';
import { applyRules, ruleNames } from '../../../../src/engine/coach/providers/rule-table.ts';
import { buildSnapshot } from '../../../../src/engine/coach/snapshot/build-snapshot.ts';
import type { AskReason, RoundContext } from '../../../../src/engine/coach/types.ts';
import { SolvedStarts } from '../../../../src/engine/train/solved-starts.ts';
import {
  coachDependencies,
  coachEdl,
  compiled,
  roundContext,
  series,
  spreadText,
} from '../../../support/coach-world.ts';

const interval: AskReason = { trigger: 'interval', detail: 'every round' };

async function advise(
  changes: Partial<RoundContext> = {},
  reason = interval,
  may: RoundContext['config']['may'] = coachKinds,
): Promise<string[]> {
  const context = roundContext(changes);
  const snapshot = buildSnapshot(context, reason, coachDependencies().store);
  const { environment, objective, budgetSteps, text } = context;
  const options = {
    ...{ environment, objective, budgetSteps, text, excluded: new Set<string>() },
    ...{ may, stage: null },
  };
  const edits = await enumerateEdits(coachEdl, options);
  return applyRules(snapshot, edits).map(({ rule, edit }) =>
    `${rule}: ${edit.change.op} ${edit.change.target} ${edit.value}`.trim(),
  );
}

const calm = { 'eval/metric/coverage': [0.9, 0.9], 'charts/component/collision/agent': [-3, -3] };

describe('applyRules', () => {
  test('first removes the penalty that stands beside a firing issue, then shrinks it, then adds what is missing', async () => {
    expect(await advise()).toEqual([
      'remove a penalty while an issue fires: remove reward crowding',
      'shrink a dominant shaping term: modify reward crowding times 0.25',
      'shrink a penalty while an issue fires: modify reward crowding times 0.1',
      'add a reward for what the issue misses: add reward approach_landmark weight 0.2',
    ]);
  });

  test('repairs the planted defect of the quickstart first', async () => {
    const text = readFileSync('resources/environments/spread.edl', 'utf8');
    expect((await advise({ text, environment: compiled(text) }))[0]).toBe(
      'remove a penalty while an issue fires: remove reward crowding',
    );
  });

  test('leaves a penalty alone while no issue fires', async () => {
    expect(
      await advise({ series: series({ ...calm, 'charts/component/crowding/agent': [-1, -1] }) }),
    ).toEqual([]);
  });

  test('a shaping term that gives is no penalty', async () => {
    const giving = series({
      'eval/metric/coverage': [0.1, 0.1],
      'charts/component/crowding/agent': [-1, 4],
      'charts/component/collision/agent': [-9, -9],
    });
    expect(await advise({ series: giving })).toEqual([
      'add a reward for what the issue misses: add reward approach_landmark weight 0.2',
    ]);
  });

  test('removes what never fired', async () => {
    const { report } = roundContext();
    const idle = { ...report, fireRates: { 'reward crowding': 0 } };
    expect(await advise({ report: idle, series: series(calm) })).toEqual([
      'remove what never fires: remove reward crowding',
    ]);
  });

  test('leaves a constraint that was never broken, and an event that did not come, alone', async () => {
    const text = spreadText.replace(
      /\}\s*$/,
      `constraint apart { for a in agent never distance(a, nearest(agent)) < 0.01 m penalty 0.1 }
  event gust { at step 20 disturb push agent_0 by 1 m/s }
}
`,
    );
    const { report } = roundContext();
    const idle = { ...report, fireRates: { 'constraint apart': 0, 'event gust': 0 } };
    const environment = compiled(text);
    expect(await advise({ text, environment, report: idle, series: series(calm) })).toEqual([]);
  });

  /** Two evaluations over ten fixed starts, so many of which were solved in the second. */
  const solvedReport = (numSolved: number) => {
    const starts = new SolvedStarts();
    starts.add(new Float64Array(10));
    starts.add(Float64Array.from({ length: 10 }, (_, start) => (start < numSolved ? 1 : 0)));
    return { ...roundContext().report, solved: starts.state };
  };

  test('leads the way while hardly anything is solved, and not where two in ten starts are', async () => {
    expect(await advise({ report: solvedReport(1), series: series(calm) })).toEqual([
      'lead the way while hardly anything is solved: add reward approach_landmark weight 0.2',
      'lead the way while hardly anything is solved: add reward reach_landmark weight 0.2',
    ]);
    expect(await advise({ report: solvedReport(2), series: series(calm) })).toEqual([]);
  });

  test('where nobody ever wins it begins with what may be easier, both ways of each, then pays for what may lead there', async () => {
    const text = 'environment e extends skirmish {}\n';
    const objective = { metric: 'success', group: 'ally', better: 'higher', words: '' } as const;
    const battle = { text, environment: compiled(text), objective, series: series({}) };
    const advice = await advise({ ...battle, report: solvedReport(0) }, interval, grantableKinds);
    const easier = advice.filter((each) => each.startsWith('begin with what is easier'));
    expect(easier.slice(0, 2).map((each) => each.split(': ')[1])).toEqual([
      'add stage warmup 0.5',
      'add stage warmup 2',
    ]);
    const leads = advice.slice(easier.length).map((each) => each.split(': ')[1]);
    expect(leads.slice(0, 4)).toEqual(
      ['pay_sees_enemy', 'pay_can_attack_enemy', 'pay_attacks_enemy', 'chase_enemy'].map(
        (name) => `add reward ${name} weight 0.2`,
      ),
    );
  });

  test('on a plateau lets shaping fade', async () => {
    const plateau: AskReason = { trigger: 'plateau', detail: '' };
    const some = series({ ...calm, 'charts/component/crowding/agent': [-1, -1] });
    expect(await advise({ series: some }, plateau)).toEqual([
      'let shaping fade on a plateau: modify reward crowding half every 20000 steps',
    ]);
  });
});

describe('docs/coach/rules.md', () => {
  test('lists every rule in its order', () => {
    const headings = readFileSync('docs/coach/rules.md', 'utf8').match(/^## \d+\. .+$/gm) ?? [];
    expect(headings.map((heading) => heading.replace(/^## \d+\. /, '').toLowerCase())).toEqual(ruleNames);
  });
});
