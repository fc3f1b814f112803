import { describe, expect, test } from 'vitest';
import { bringIntoForce } from '../../../src/engine/coach/in-force.ts';
import { leadsTo } from '../../../src/engine/coach/leads-to.ts';
import { compiled } from '../../support/coach-world.ts';

const withStages = (until: string) =>
  bringIntoForce(
    compiled(
      `environment e extends simple_spread { stage near { set landmark.spawn = 0.5 m until ${until} } stage full { } }`,
    ),
    { opponents: {}, stage: null },
  );
const plain = compiled('environment e extends simple_spread { }');
const near = compiled('environment e extends simple_spread { set landmark.spawn = 0.5 m }');

describe('leadsTo', () => {
  test('is the identity in force where the curriculum stays', () => {
    expect(leadsTo(near, plain)).toBe(near.identity);
    const [same, again] = [withStages('success > 50%'), withStages('success > 50%')];
    expect(leadsTo(same, again)).toBe(same.identity);
  });

  test('an end that is moved leads elsewhere, though what is in force stays', () => {
    const [sooner, now] = [withStages('success > 20%'), withStages('success > 50%')];
    expect(sooner.identity).toBe(now.identity);
    expect(leadsTo(sooner, now)).not.toBe(now.identity);
  });

  test('to begin in an easier stage is not the same as to make everything easier', () => {
    const begun = withStages('success > 50%');
    expect(begun.identity).toBe(near.identity);
    expect(leadsTo(begun, plain)).not.toBe(leadsTo(near, plain));
  });
});
