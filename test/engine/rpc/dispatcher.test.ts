import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDispatch } from '../../../src/engine/rpc/dispatcher.ts';
import { AppError } from '../../../src/shared/std/app-error.ts';
import { serveFakes } from '../../support/serve-fakes.ts';

const status = (message: string) => ({ state: 'absent' as const, path: null, message });

describe('createDispatch', () => {
  test.each([
    '',
    'runs',
    'runs.',
    'runs.fly',
    'runs.list.all',
    'toString',
    '__proto__.x',
    'runs.constructor',
    'x'.repeat(5000),
  ])('an unknown call (%#) is rpc.unknownCall', async (call) => {
    const answer = await serveFakes().served.dispatch(call, {});
    expect(answer).toMatchObject({ ok: false, error: { code: 'rpc.unknownCall' } });
  });

  test('a call of the contract that is not served here is engine.unavailable', async () => {
    const answer = await createDispatch({})('runs.list', {});
    expect(answer).toMatchObject({ ok: false, error: { code: 'engine.unavailable' } });
  });

  test('bad arguments are named', async () => {
    const answer = await serveFakes().served.dispatch('runs.start', { experimentPath: 5, seed: 'x' });
    expect(answer).toMatchObject({ ok: false, error: { code: 'rpc.badArguments' } });
    if (!answer.ok) expect(answer.error.message).toMatch(/"experimentPath".*"seed"/);
  });

  test('what is not an AppError is internal and reported as a defect', async () => {
    const defects: string[] = [];
    const { served } = serveFakes();
    const models = {
      list: () => {
        throw new RangeError('boom');
      },
      inspect: () => Promise.reject(new Error('no')),
      test: () => Promise.reject(new Error('no')),
      status: () => status('x'),
    };
    const dispatch = createDispatch({ models }, { onDefect: (call) => defects.push(call) });
    expect(await dispatch('models.list', {})).toMatchObject({
      ok: false,
      error: { code: 'internal', message: 'boom' },
    });
    expect(await dispatch('models.status', {})).toEqual({ ok: true, value: status('x') });
    expect(defects).toEqual(['models.list']);
    expect((await served.dispatch('models.status', {})).ok).toBe(true);
  });

  test('error data that no transport can carry is left out', async () => {
    const models = {
      list: () => {
        throw new AppError('model.invalid', 'bad', { data: { handle: () => 0 } });
      },
      inspect: () => Promise.reject(new Error('no')),
      test: () => Promise.reject(new Error('no')),
      status: () => status('x'),
    };
    expect(await createDispatch({ models })('models.list', {})).toEqual({
      ok: false,
      error: { code: 'model.invalid', message: 'bad' },
    });
  });

  test('a result against the contract is internal when results are checked', async () => {
    const engine = { status: () => ({ pid: 'none' }) as never, log: () => [] };
    const answer = await createDispatch({ engine }, { checkResults: true })('engine.status', {});
    expect(answer).toMatchObject({ ok: false, error: { code: 'internal' } });
  });

  test('any arguments to any call give an answer (seeded)', async () => {
    const { served } = serveFakes();
    const call = fc.constantFrom(
      'workspace.read',
      'workspace.write',
      'runs.start',
      'runs.series',
      'coach.decide',
      'policies.evaluate',
    );
    await fc.assert(
      fc.asyncProperty(call, fc.anything(), async (name, args) => {
        const answer = await served.dispatch(name, args);
        expect(typeof answer.ok).toBe('boolean');
      }),
      { seed: 5, numRuns: 300 },
    );
  });
});
