import { describe, expect, test } from 'vitest';
import {
  addressFault,
  findEndpoint,
  isOpenRoad,
} from '../../../../../src/engine/coach/providers/http/endpoint-url.ts';

const config = { url: 'https://models.example/v1/', key: 'MODEL_KEY', timeout: 60, context: 8192 };

describe('findEndpoint', () => {
  test('is the address of chat completions, with the key of the environment', () => {
    const { url, key } = findEndpoint(config, { MODEL_KEY: ' sk-1 ' });
    expect([url.href, key]).toEqual(['https://models.example/v1/chat/completions', 'sk-1']);
    expect(findEndpoint({ ...config, key: null }, {}).key).toBeNull();
  });

  test.each([
    ['no address', { url: null }, {}],
    ['a variable that is not set', {}, {}],
    ['a key of two words', {}, { MODEL_KEY: 'two words' }],
    ['a key over an open road', { url: 'http://models.example/v1' }, { MODEL_KEY: 'sk-1' }],
  ])('%s is refused', (_, changes, environment) => {
    expect(() => findEndpoint({ ...config, ...changes }, environment)).toThrow(
      expect.objectContaining({ code: 'input.invalid' }),
    );
  });
});

describe('addressFault', () => {
  test.each([
    'ftp://x/v1',
    'nonsense',
    'https://me:secret@x/v1',
    'https://x/v1?key=secret',
    'https://x/v1#a',
  ])('%s is none', (url) => expect(addressFault(url)).not.toBeNull());

  test.each(['https://x/v1', 'http://localhost:8080/v1'])('%s is one', (url) =>
    expect(addressFault(url)).toBeNull(),
  );
});

test('only to this machine http can be read by nobody else', () => {
  expect(['http://127.0.0.1/v1', 'http://x/v1', 'https://x/v1'].map(isOpenRoad)).toEqual([
    false,
    true,
    false,
  ]);
});
