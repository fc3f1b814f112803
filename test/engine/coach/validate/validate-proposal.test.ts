import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Recording } from '../../../../src/engine/coach/types.ts';
import { parseProposal } from '../../../../src/engine/coach/validate/parse-proposal.ts';
import { validateProposal } from '../../../../src/engine/coach/validate/validate-proposal.ts';
import { createVecEnv } from '../../../../src/engine/sim/index.ts';
import type { ProposalBody, ProposedChange } from '../../../../src/shared/contract/coach.ts';
import { coachEdl, compiled, roundContext, spreadText } from '../../../support/coach-world.ts';

const { objective, series, readRecording } = roundContext();
const whole = await readRecording();
const recording = { ...whole, steps: whole.steps.slice(0, 512) };

function body(...changes: readonly Partial<ProposedChange>[]): ProposalBody {
  const filled = changes.map(
    (change): ProposedChange => ({
      op: 'add',
      target: 'reward near',
      edl: '',
      description: '',
      implementation_hint: 'distance',
      expected_impact: { metric: 'coverage', direction: 'up', size: 'small', why: '' },
      ...change,
    }),
  );
  return { analysis: '', changes: filled, wishes: [] };
}

function validate(
  proposal: ProposalBody,
  excluded: readonly string[] = [],
  of: Recording = recording,
  settings: { readonly termShare?: number | null } = {},
) {
  const input = {
    ...settings,
    text: spreadText,
    environment: compiled(),
    body: proposal,
    excluded: new Set(excluded),
    recording: of,
    objective,
    series,
  };
  return validateProposal({ edl: coachEdl, createVecEnv }, input);
}

const near = (condition: string, value = '-0.1') => ({
  edl: `reward near { for a in agent ${condition} give ${value} to a }`,
});

const codes = (proposal: ProposalBody): string[] => validate(proposal).reasons.map(({ code }) => code);

describe('validateProposal', () => {
  test('lets a removal pass and gives the environment it leads to', () => {
    const result = validate(body({ op: 'remove', target: 'reward crowding' }));
    expect(result.reasons).toEqual([]);
    expect(result.text).not.toContain('crowding');
    expect(result.environment?.identity).not.toBe(compiled().identity);
  });

  test('applies two changes one after the other', () => {
    const result = validate(
      body(
        { op: 'remove', target: 'reward crowding' },
        near('when distance(a, nearest(landmark)) < 0.3 m', '0.2'),
      ),
    );
    expect(result.reasons).toEqual([]);
    expect(result.environment?.declarations.map(({ target }) => target)).toEqual(
      expect.arrayContaining(['set agent.accel', 'reward near']),
    );
  });

  test('a condition that holds in no recorded step is refused with the counts', () => {
    const { reasons } = validate(body(near('when distance(a, nearest(landmark)) < 0.000001 m')));
    expect(reasons).toMatchObject([
      { code: 'neverFires', evidence: { fired: 0, steps: 512, chances: 1536 } },
    ]);
    expect(reasons[0]?.message).toContain('reward near fires in none of 512 recorded steps');
  });

  test('a condition that holds in every recorded step is refused with the counts', () => {
    const { reasons } = validate(body(near('when distance(a, nearest(landmark)) < 90 m')));
    expect(reasons).toMatchObject([{ code: 'alwaysFires', evidence: { fired: 1536, chances: 1536 } }]);
  });

  test('a reward without a condition may hold always', () => {
    expect(codes(body(near('', '-0.1 * distance(a, nearest(landmark)) / 1 m')))).toEqual([]);
  });

  test('only what the proposal changes is judged', () => {
    const { reasons } = validate(
      body({
        op: 'modify',
        target: 'set agent.accel',
        edl: 'set agent.accel = 2 m/s^2',
        implementation_hint: 'agent.accel',
      }),
    );
    expect(reasons).toEqual([]);
  });

  test('a reward beyond the nominal return is refused, with a limit it passes', () => {
    expect(codes(body(near('', '50 * distance(a, nearest(landmark)) / 1 m')))).toEqual(['tooLarge']);
    const limited =
      'reward near { for a in agent give 50 * distance(a, nearest(landmark)) / 1 m to a limit 5% of nominal }';
    expect(codes(body({ edl: limited }))).toEqual([]);
  });

  test('an experiment says how large a reward may be, or that it may be of any size', () => {
    const large = body(near('', '50 * distance(a, nearest(landmark)) / 1 m'));
    const small = body(near('', '-0.5 * distance(a, nearest(landmark)) / 1 m'));
    const codesWithin = (proposal: ProposalBody, termShare: number | null): string[] =>
      validate(proposal, [], recording, { termShare }).reasons.map(({ code }) => code);
    expect(codesWithin(large, null)).toEqual([]);
    expect(codesWithin(small, 1)).toEqual([]);
    expect(codesWithin(small, 0.1)).toEqual(['tooLarge']);
  });

  test('a rule that fires and makes no difference is refused', () => {
    const rule = (factor: string): Partial<ProposedChange> => ({
      target: 'rule fast',
      edl: `rule fast { for a in agent when distance(a, nearest(landmark)) < 0.5 m then a.max_speed *= ${factor} }`,
      implementation_hint: 'max_speed',
    });
    // Nobody gets near the cap, so raising it changes nothing; lowering it to a crawl does.
    expect(validate(body(rule('1.25'))).reasons).toMatchObject([
      { code: 'noEffect', evidence: { different: 0, steps: 512 } },
    ]);
    expect(codes(body(rule('0.005')))).toEqual([]);
  });

  test('a value that is undefined in recorded steps is refused', () => {
    expect(codes(body(near('', '0.001 / max(0, 0.2 - distance(a, nearest(landmark)) / 1 m)')))).toContain(
      'traps',
    );
  });

  test.each([
    ['an unknown name', near('when distance(a, nearest(tree)) < 1 m')],
    ['a syntax error', { edl: 'reward near { for a in agent give' }],
    ['an unknown attribute', near('when a.courage > 1')],
    ['a unit that does not fit', near('when distance(a, nearest(landmark)) < 1 s')],
    ['a huge number', near('', '1e400')],
    ['two declarations', { edl: `${near('').edl} ${near('').edl}` }],
    [
      'a name that is taken',
      {
        target: 'reward crowding',
        edl: 'reward crowding { for a in agent give 1 * distance(a, goal) / 1 m to a }',
      },
    ],
    ['a missing target', { op: 'remove', target: 'reward absent', implementation_hint: 'absent' }],
    [
      'a parameter out of bounds',
      {
        op: 'modify',
        target: 'set agent.accel',
        edl: 'set agent.accel = 1000 m/s^2',
        implementation_hint: 'agent.accel',
      },
    ],
    [
      'a parameter of a person',
      { target: 'set agent.count', edl: 'set agent.count = 4', implementation_hint: 'agent.count' },
    ],
    [
      'a physics constant',
      { target: 'set world.damping', edl: 'set world.damping = 0.5', implementation_hint: 'world.damping' },
    ],
  ] satisfies [string, Partial<ProposedChange>][])('%s is refused with a reason', (_, change) => {
    const { reasons, environment } = validate(body(change));
    expect(reasons.length).toBeGreaterThan(0);
    expect(reasons[0]?.message).not.toBe('');
    expect(environment).toBeNull();
  });

  test('the environment that holds already, and one turned down before, are refused', () => {
    expect(
      codes(
        body({
          op: 'modify',
          target: 'set agent.accel',
          edl: 'set agent.accel = 4.0 m/s^2',
          implementation_hint: 'agent.accel',
        }),
      ),
    ).toEqual(['unchanged']);
    const removal = body({ op: 'remove', target: 'reward crowding' });
    const identity = validate(removal).environment?.identity ?? '';
    expect(validate(removal, [identity]).reasons).toMatchObject([{ code: 'repeated' }]);
  });

  test('an edit that rests is refused with the reason why', () => {
    const removal = body({ op: 'remove', target: 'reward crowding' });
    const identity = validate(removal).environment?.identity ?? '';
    const input = { text: spreadText, environment: compiled(), body: removal, recording, objective, series };
    const cooling = new Map([[identity, 'the same edit lost its trial after round 1']]);
    const { reasons } = validateProposal(
      { edl: coachEdl, createVecEnv },
      { ...input, excluded: new Set(), cooling },
    );
    expect(reasons).toMatchObject([{ code: 'coolingDown', message: cooling.get(identity) }]);
  });

  test('without recorded steps nothing that can fire is accepted', () => {
    expect(
      validate(body({ ...near(''), implementation_hint: 'agent' }), [], {
        round: 0,
        steps: [],
        stretches: [],
      }).reasons,
    ).toMatchObject([{ code: 'noRecord' }]);
  });

  test('whatever a model writes as EDL is refused or compiles, and never throws (seed 3)', () => {
    const words = [
      'reward',
      'near',
      '{',
      '}',
      'for',
      'a',
      'in',
      'agent',
      'landmark',
      'when',
      'give',
      'to',
      '(',
      ')',
      '0.1',
      '-1',
      'distance',
      'nearest',
      '<',
      'm',
      '%',
      '"',
      '//',
      '\u{1f600}',
      ',',
      '.',
    ];
    const text = fc
      .array(fc.constantFrom(...words), { maxLength: 25 })
      .map((parts) => `reward near ${parts.join(' ')}`);
    fc.assert(
      fc.property(text, (edl) => {
        const proposal = parseProposal(JSON.stringify(body({ edl })));
        const { reasons, environment } = validate(proposal);
        expect(reasons.length > 0 || environment !== null).toBe(true);
      }),
      { seed: 3, numRuns: 200 },
    );
  });
});
