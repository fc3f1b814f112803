import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { buildSnapshot } from '../../../../src/engine/coach/snapshot/build-snapshot.ts';
import { describeSnapshot } from '../../../../src/engine/coach/snapshot/describe-snapshot.ts';
import { snapshotJsonSchema, snapshotSchema } from '../../../../src/engine/coach/snapshot/snapshot-schema.ts';
import { SolvedStarts } from '../../../../src/engine/train/solved-starts.ts';
import { coachDependencies, roundContext, series } from '../../../support/coach-world.ts';

const reason = { trigger: 'interval', detail: 'every round' } as const;
const build = () => buildSnapshot(roundContext(), reason, coachDependencies().store);

describe('buildSnapshot', () => {
  test('keeps to the published schema, through JSON', () => {
    const snapshot = build();
    expect(snapshotSchema.parse(JSON.parse(JSON.stringify(snapshot)))).toEqual(snapshot);
  });

  test('holds mission, agents with roles, rules in force and what fires', () => {
    const snapshot = build();
    expect(snapshot.mission).toBe('Cover the landmarks');
    expect(snapshot.agents.map(({ id, role }) => [id, role])).toEqual([
      ['agent_0', 'agent'],
      ['agent_1', 'agent'],
      ['agent_2', 'agent'],
    ]);
    expect(snapshot.declarations.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'set agent.accel',
      'reward crowding',
    ]);
    expect(snapshot.declarations[1]?.fireRate).toBeGreaterThan(0);
    expect(snapshot.issues).toMatchObject([
      { name: 'uncovered', isFiring: true, evidence: { coverage: 0.1 } },
    ]);
  });

  test('tells shaping from base components and how much each weighs', () => {
    const shaping = build().components.filter(({ kind }) => kind === 'shaping');
    expect(shaping).toMatchObject([{ name: 'crowding', doc: 'Keep off', share: 1 }]);
    expect(shaping[0]?.checkpoints.map(({ mean }) => mean)).toEqual([-4, -3, -2]);
  });

  test('offers only parameters that a coach may write', () => {
    const names = build().capabilities.parameters.map(({ name }) => name);
    expect(names).toContain('agent.accel');
    expect(names).not.toContain('agent.count');
  });

  test('says nothing of environments that are held out', () => {
    const told = { 'eval/objective': [-30, -29], 'eval/metric/coverage': [0.2, 0.3] };
    const snapshotOf = (values: Readonly<Record<string, readonly number[]>>) =>
      buildSnapshot(roundContext({ series: series(values) }), reason, coachDependencies().store);
    expect(snapshotOf({ ...told, 'eval/held_out/coverage': [7, 8], 'eval/held_out/far': [9] })).toEqual(
      snapshotOf(told),
    );
  });

  test('holds what policies chose, most frequent first, and which starts are learnable', () => {
    const { report } = roundContext();
    const solved = new SolvedStarts();
    solved.add(Float64Array.of(1, 0, 0));
    solved.add(Float64Array.of(1, 1, 0));
    const figures = { actionShares: { agent: { stay: 0.25, left: 0, right: 0.75 } }, solved: solved.state };
    const context = roundContext({ report: { ...report, ...figures } });
    const { policies, learnability } = buildSnapshot(context, reason, coachDependencies().store);
    expect(policies[0]?.actions).toEqual([
      { action: 'right', share: 0.75 },
      { action: 'stay', share: 0.25 },
    ]);
    expect(learnability).toMatchObject({ always: 1, sometimes: 1, never: 1 });
  });

  test('reports of earlier versions have neither', () => {
    expect(build()).toMatchObject({ policies: [{ group: 'agent', actions: [] }], learnability: null });
  });

  test('gives the same text for the same state', () => {
    expect(describeSnapshot(build())).toEqual(describeSnapshot(build()));
  });
});

describe('snapshotJsonSchema', () => {
  test('is what docs/coach/generated/snapshot.schema.json publishes', () => {
    expect(JSON.parse(readFileSync('docs/coach/generated/snapshot.schema.json', 'utf8'))).toEqual(
      snapshotJsonSchema(),
    );
  });
});
