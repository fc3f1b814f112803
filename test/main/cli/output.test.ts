import { expect, test } from 'vitest';
import { Output } from '../../../src/main/cli/output.ts';
import { AppError } from '../../../src/shared/std/app-error.ts';

function written(tell: (output: Output) => void): { out: string; err: string } {
  const out: string[] = [];
  const err: string[] = [];
  const to = (parts: string[]) => ({ write: (text: string) => parts.push(text) });
  tell(new Output(false, { stdout: to(out), stderr: to(err) }));
  return { out: out.join(''), err: err.join('') };
}

const escaped = String.raw`\x1b[2J`;

test('what is told to people holds no control characters', () => {
  const { out, err } = written((output) => {
    output.answer({}, () => 'answer \x1b[2J');
    output.note('note \x1b[2J');
    output.error(new AppError('input.invalid', 'error \x1b[2J'));
  });
  expect(out).toBe(`answer ${escaped}\n`);
  expect(err).toBe(`note ${escaped}\ngymwright: error ${escaped}\n`);
});

test('a text for files stays as it is', () => {
  expect(written((output) => output.raw('a\x1b\r\n')).out).toBe('a\x1b\r\n');
});
