import { describe, expect, test } from 'vitest';
import { translateError } from '../../../../../src/engine/coach/model/host/translate-error.ts';
import { AppError } from '../../../../../src/shared/std/app-error.ts';

class InsufficientMemoryError extends Error {}

describe('translateError', () => {
  test.each([
    ['the binding says so by type', new InsufficientMemoryError('A context size of 4096 is too large')],
    ['a context that is not there', new Error('Failed to create context')],
    ['llama.cpp says so in words', new Error('ggml: failed to allocate buffer of size 123')],
  ])('names lack of memory with the path and a way out: %s', (_, thrown) => {
    const error = translateError(thrown, '/models/m.gguf', false);
    expect(error.code).toBe('model.outOfMemory');
    expect(error.message).toMatch(/\/models\/m\.gguf.*llama\.context.*smaller model/);
  });

  test('what was cancelled is cancelled, whatever was thrown', () => {
    expect(translateError(new Error('aborted'), 'm', true).code).toBe('model.cancelled');
  });

  test('a coded error passes through, anything else is a refused model', () => {
    const coded = new AppError('model.contextOverflow', 'too long');
    expect(translateError(coded, 'm', false)).toBe(coded);
    expect(translateError('odd', '/m.gguf', false)).toMatchObject({
      code: 'model.invalid',
      message: 'llama.cpp refused /m.gguf: odd',
    });
  });
});
