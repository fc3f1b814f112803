import { describe, expect, test } from 'vitest';
import { requireNodeApi } from '../../../src/engine/store/node-api.ts';
import { thrownBy } from '../../support/error-code.ts';

describe('requireNodeApi', () => {
  test('accepts the Node that runs this', () => {
    expect(() => requireNodeApi()).not.toThrow();
  });

  test.each([['9'], [undefined]])('refuses Node-API %s and says what to use', (napi) => {
    const error = thrownBy(() => requireNodeApi({ node: '20.20.2', napi }));
    expect(error.code).toBe('engine.unavailable');
    expect(error.message).toMatch(/20\.20\.2.*Node 24.*npm start/);
  });
});
