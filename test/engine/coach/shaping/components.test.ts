import { describe, expect, test } from 'vitest';
import { carriedFactor, declaredComponents } from '../../../../src/engine/coach/shaping/components.ts';
import { compiled } from '../../../support/coach-world.ts';

function component(declaration: string) {
  const [first] = declaredComponents(
    compiled(`environment spread extends simple_spread {\n${declaration}\n}\n`),
  );
  if (first === undefined) throw new Error(`${declaration} is no component`);
  return first;
}

const reward = (gifts: string, rest = '') =>
  component(`reward near { for a in agent when distance(a, nearest(landmark)) < 1 m ${gifts} ${rest} }`);

const factor = (before: string, after: string, trainedSteps = 0) =>
  carriedFactor(reward(before), reward(after), trainedSteps);

describe('carriedFactor', () => {
  test('what gives the same times a number goes on at the weight that pays the same', () => {
    expect(factor('give -1 to a', 'give -0.25 to a')).toBe(4);
    expect(factor('give 2 to a', 'give -1 to a')).toBe(-2);
    const far = 'distance(a, nearest(landmark))';
    expect(factor(`give 0.5 * ${far} to a`, `give ${far} * 2 to a`)).toBe(0.25);
    expect(factor(`give -${far} to a`, `give ${far} / 4 to a`)).toBe(-4);
    expect(factor(`give ${far} to a`, `give ${far} to a`)).toBe(1);
  });

  test('what gives something else, or to other ends, has nothing in common', () => {
    expect(factor('give 1 to a', 'give distance(a, nearest(landmark)) to a')).toBeNull();
    expect(factor('give 1 to a', 'give 1 to agent')).toBeNull();
    expect(factor('give 1 to a', 'give 0 to a')).toBeNull();
    const narrower = component(
      'reward near { for a in agent when distance(a, nearest(landmark)) < 0.5 m give 1 to a }',
    );
    expect(carriedFactor(reward('give 1 to a'), narrower, 0)).toBeNull();
  });

  test('several gifts need the same factor', () => {
    const all = (x: number, y: number) => `give ${x} to a give ${y} to agent_0`;
    expect(factor(all(1, 3), all(2, 6))).toBe(0.5);
    expect(factor(all(1, 3), all(2, 3))).toBeNull();
  });

  test('a decay begins where its weight stands after the steps trained so far', () => {
    const fading = reward('give 1 to a', 'decay half every 1000 steps');
    expect(carriedFactor(reward('give 1 to a'), fading, 3000)).toBe(8);
    expect(carriedFactor(fading, reward('give 1 to a'), 3000)).toBe(1 / 8);
    expect(carriedFactor(reward('give 1 to a'), fading, 1_000_000)).toBeNull();
  });

  test('what keeps its decay pays the same at any time', () => {
    for (const halfLife of [700, 1000, 3000, 20_000]) {
      const fading = reward('give 1 to a', `decay half every ${halfLife} steps`);
      for (let trainedSteps = 0; trainedSteps < 100_000; trainedSteps += 777) {
        expect(carriedFactor(fading, fading, trainedSteps)).toBe(1);
      }
    }
  });

  test('a potential that a limit scales is only like itself', () => {
    const potential = (gift: string, limit = '') => reward(gift, `potential ${limit}`);
    const [one, two] = [potential('give 1 to a'), potential('give 2 to a')];
    expect(carriedFactor(one, two, 0)).toBe(0.5);
    const limited = potential('give 2 to a', 'limit 10% of nominal');
    expect(carriedFactor(two, limited, 0)).toBeNull();
    expect(carriedFactor(potential('give 1 to a', 'limit 10% of nominal'), limited, 0)).toBeNull();
    expect(carriedFactor(limited, limited, 0)).toBe(1);
  });

  test('constraints go on by their penalties', () => {
    const constraint = (penalty: number) =>
      component(
        `constraint apart { for a in agent never distance(a, nearest(landmark)) < 0.1 m penalty ${penalty} to a }`,
      );
    expect(carriedFactor(constraint(1), constraint(4), 0)).toBe(0.25);
    expect(carriedFactor(constraint(1), reward('give -1 to a'), 0)).toBeNull();
  });
});
