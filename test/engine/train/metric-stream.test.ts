import { expect, test } from 'vitest';
import { MetricStream } from '../../../src/engine/train/metric-stream.ts';
import type { TrainerEvent } from '../../../src/engine/train/protocol.ts';

test('numbers points without a gap, from where a checkpoint stood; speed is measured over a second', () => {
  let now = 10_000;
  const told: TrainerEvent[] = [];
  const stream = new MetricStream(() => now);
  stream.load(5);
  stream.beginRound(1000);
  const send = (numPoints: number, ownSteps: number) => {
    const points = Array.from({ length: numPoints }, () => ({
      key: 'losses/entropy',
      step: ownSteps,
      value: 1,
    }));
    stream.send((event) => told.push(event), points, { ownSteps, chargedSteps: ownSteps + 7 });
  };
  now += 500;
  send(2, 1500);
  now += 1500;
  send(3, 5000);
  send(0, 6000);
  expect(stream.sequence).toBe(10);
  expect(told).toMatchObject([
    { type: 'metrics', firstSequence: 5, ownSteps: 1500, chargedSteps: 1507, stepsPerSecond: 0 },
    { firstSequence: 7, stepsPerSecond: 2000 },
    { firstSequence: 10, points: [], stepsPerSecond: 2000 },
  ]);
});
