import { describe, expect, test } from 'vitest';
import { applyChanges } from '../../../../src/engine/edl/edit/apply-changes.ts';
import { listDeclarations } from '../../../../src/engine/edl/edit/list-declarations.ts';
import type { ChangeOptions, EdlChange } from '../../../../src/engine/edl/types.ts';
import { applyTextEdits } from '../../../support/apply-text-edits.ts';
import { testHost } from '../../../support/edl-manifests.ts';
import { simHost } from '../../../support/sim-host.ts';

const host = testHost();
const text = `environment crowd extends spread {
  set agent.accel = 4 m/s^2

  // The one that is measured.
  metric gap "How far apart" {
    mean over a in agent of distance(a, nearest(landmark))
    unit m
  }

  issue apart { when gap > 1 m for 2 evaluations }

  stage easy { set agent.accel = 8 m/s^2 until coverage > 80% }
  stage hard { set agent.accel = 2 m/s^2 }
}
`;

const add = (target: string, edl: string): EdlChange => ({ op: 'add', target, edl });
const modify = (target: string, edl: string): EdlChange => ({ op: 'modify', target, edl });
const remove = (target: string): EdlChange => ({ op: 'remove', target, edl: '' });

function changed(changes: readonly EdlChange[], options: ChangeOptions = {}, from = text): string {
  const result = applyChanges(from, changes, host, options);
  if ('refused' in result) throw new Error(`${result.refused.code} ${result.refused.message}`);
  expect(applyTextEdits(from, result.edits)).toBe(result.text);
  return result.text;
}

function refusal(changes: readonly EdlChange[], options: ChangeOptions = {}): string {
  const result = applyChanges(text, changes, host, options);
  return 'refused' in result
    ? `${result.change} ${result.refused.code}: ${result.refused.message}`
    : result.text;
}

describe('applyChanges', () => {
  test('makes several changes as one, and tells the edits that lead there', () => {
    const changes = [
      modify('set agent.accel', 'set agent.accel = 5 m/s^2'),
      remove('issue apart'),
      add('set local_ratio', 'set local_ratio = 20%'),
    ];
    const expected = text
      .replace('accel = 4', 'accel = 5')
      .replace('m/s^2\n\n', 'm/s^2\n  set local_ratio = 20%\n\n')
      .replace('\n  issue apart { when gap > 1 m for 2 evaluations }\n', '');
    expect(changed(changes)).toBe(expected);
    const result = applyChanges(text, changes, host);
    expect('edits' in result && result.edits.map((edit) => edit.text)).toEqual([
      '5',
      '  set local_ratio = 20%\n',
      '',
    ]);
  });

  test('a declaration may be added together with what it needs, in any order', () => {
    const speed = add('metric pace', 'metric pace { mean over a in agent of a.speed unit m/s }');
    const slow = add('issue slow', 'issue slow { when pace < 0.2 m/s }');
    expect(changed([slow, speed])).toContain(
      '  issue slow {\n    when pace < 0.2 m/s\n  }\n\n  metric pace {',
    );
  });

  test('what needs each other may go together', () => {
    expect(
      listDeclarations(changed([remove('metric gap'), remove('issue apart')])).map(({ target }) => target),
    ).toEqual(['set agent.accel', 'stage easy', 'stage hard']);
  });

  test('stages keep their order: a changed one stays in its place, a new one is the last', () => {
    const stages = (from: string): string[] =>
      listDeclarations(from)
        .filter(({ kind }) => kind === 'stage')
        .map(({ name }) => name);
    const easier = modify('stage easy', 'stage easy { set agent.accel = 9 m/s^2 until coverage > 90% }');
    expect(stages(changed([easier]))).toEqual(['easy', 'hard']);
    const open = modify('stage hard', 'stage hard { set agent.accel = 2 m/s^2 until coverage > 90% }');
    const last = add('stage final', 'stage final { set agent.accel = 1 m/s^2 }');
    expect(stages(changed([last, open]))).toEqual(['easy', 'hard', 'final']);
  });

  test('a declaration with comments around it is added in the indentation of the others', () => {
    const slow = '/* one\n   two */\nrule slow { then agent.accel *= 0.5 } // gently';
    expect(changed([add('rule slow', slow)])).toContain(
      '  /* one\n   two */\n  rule slow {\n    then agent.accel *= 0.5\n  } // gently\n}',
    );
  });

  test('lines that are put in end as those of the text do', () => {
    const from = text.replaceAll('\n', '\r\n');
    const wider = 'issue apart {\n when gap > 1 m\n for 2 evaluations\n until gap < 0.5 m\n}';
    const result = changed(
      [modify('issue apart', wider), add('set local_ratio', 'set local_ratio = 1')],
      {},
      from,
    );
    expect(result).toContain('until gap < 0.5 m');
    expect(result.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    const noted = from.replace('mean over', '// every one\r\n    mean // of all\r\n    over');
    const shorter = modify('metric gap', 'metric gap { 1 m unit m }');
    expect(changed([shorter], {}, noted).replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });

  test('no change is the text itself', () => {
    expect(changed([])).toBe(text);
  });

  test.each<[string, readonly EdlChange[], string]>([
    [
      'two changes of one target',
      [modify('set agent.accel', 'set agent.accel = 5'), remove('  set   agent.accel ')],
      "1 EDL608: two changes of 'set agent.accel': one of them would be lost",
    ],
    [
      'removing what stays needed',
      [remove('metric gap')],
      "0 EDL609: 'issue apart' needs 'metric gap', which would be removed: unknown metric 'gap'",
    ],
    [
      'removing what another change needs',
      [add('issue far', 'issue far { when gap > 2 m }'), remove('issue apart'), remove('metric gap')],
      "2 EDL609: 'issue far' needs 'metric gap', which would be removed",
    ],
    [
      'removing what a declaration with an error of its own has a word in common with',
      [remove('stage hard'), modify('issue apart', 'issue apart { for hard in agent when hard.gap > 1 m }')],
      '1 EDL605: ',
    ],
    [
      'a second change that is at fault',
      [remove('issue apart'), add('issue far', 'issue far { when gap > 2 s }')],
      '1 EDL605',
    ],
    [
      'two additions of one name in one space',
      [
        add('rule near', 'rule near { then agent.accel *= 0.5 }'),
        add('reward near', 'reward near { give 1 to agent }'),
      ],
      "1 EDL605: 'near' is declared twice",
    ],
    ['a target that is none', [remove('issue apart'), remove('gap')], '1 EDL606'],
    ['a target that is missing', [remove('issue apart'), remove('rule gap')], '1 EDL601'],
  ])('refuses %s and changes nothing', (_, changes, expected) => {
    expect(refusal(changes).slice(0, expected.length)).toBe(expected);
  });

  test.each([
    ['a stage', add('stage few', 'stage few { set agent.count = 2 }')],
    ['a stage that is there', modify('stage hard', 'stage hard { set world.damping = 0.5 }')],
    ['room', add('capacity agent', 'capacity agent 5')],
  ])('a coach cannot change shapes or constants through %s', (_, change) => {
    expect(refusal([change], { author: 'coach' })).toMatch(/^0 EDL607: /);
  });
});

describe('applyChanges to a text that extends another', () => {
  const base = `environment base extends spread {\n  rule tiring { then agent.accel *= 0.9 }\n  set agent.accel = 3\n}\n`;
  const files = { ...host, text: (path: string) => (path === 'base.edl' ? { path, text: base } : null) };
  const own = 'environment own extends "base.edl" {\n}\n';

  test('drops, overrides and takes up again what the other declares', () => {
    const dropped = applyChanges(own, [add('without rule tiring', 'without rule tiring')], files);
    expect('text' in dropped && dropped.text).toBe(
      'environment own extends "base.edl" {\n  without rule tiring\n}\n',
    );
    if (!('text' in dropped)) return;
    expect(dropped.environment.ir.rules).toEqual([]);
    const back = applyChanges(dropped.text, [remove('without rule tiring')], files);
    expect('text' in back && back.text).toBe(own);
    const set = applyChanges(dropped.text, [add('set agent.accel', 'set agent.accel = 2')], files);
    expect('text' in set && set.environment.ir.parameters).toEqual({ 'agent.accel': 2 });
    expect('text' in set && set.text).toContain('{\n  set agent.accel = 2\n  without rule tiring\n}');
  });

  test('a file name with a brace is no body', () => {
    const odd = { ...host, text: (path: string) => ({ path, text: base }) };
    const result = applyChanges('environment own extends "{.edl" {}', [add('mission', 'mission "x"')], odd);
    expect('text' in result && result.text).toContain('"{.edl" {\n  mission "x"\n}');
  });

  test('what only the other declares is changed there', () => {
    const result = applyChanges(own, [remove('rule fast')], files);
    expect('refused' in result && result.refused.message).toContain(
      "what 'base.edl' declares is changed there",
    );
  });

  test('a coach may drop no reserved parameter', () => {
    const change = add('without set world.damping', 'without set world.damping');
    const result = applyChanges(own, [change], files, { author: 'coach' });
    expect('refused' in result && result.refused.code).toBe('EDL607');
  });
});

describe('who is to blame', () => {
  test('for an error in no declaration that was changed it is the first change that leaves one', () => {
    const nested = 'for a in agent for b in agent for c in agent for d in agent for e in agent';
    const costly = `rule costly { ${nested} when distance(a, b) + distance(c, d) < distance(d, e) then a.accel *= 0.5 }`;
    const world = `environment wide extends simple_spread { set agent.count = 10 }\n`;
    const result = applyChanges(
      world,
      [add('reward near', 'reward near { for a in agent give 0.1 to a }'), add('rule costly', costly)],
      simHost(),
    );
    expect(result).toMatchObject({ change: 1, refused: { code: 'EDL605' } });
    expect('refused' in result ? result.refused.message : '').toContain('EDL504');
  });
});
