import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { MemoryBody } from '../../../../src/renderer/panels/memory/memory-panel.tsx';
import type { MemoryView } from '../../../../src/renderer/panels/memory/use-memory.ts';
import { pending, ready } from '../../../../src/renderer/state/loadable.ts';
import { makeMemory } from '../../support/fixtures.ts';

const nothing = (): void => undefined;

const show = (change: Partial<MemoryView> = {}): string => {
  const view: MemoryView = {
    entries: ready([makeMemory()]),
    frozen: [],
    shown: null,
    sourceOf: () => 'quickstart · 2d7c, coached, seed 1',
    show: nothing,
    openProposal: nothing,
    setForgotten: nothing,
    refresh: nothing,
    ...change,
  };
  return renderToStaticMarkup(createElement(MemoryBody, { view }));
};

const cells = (html: string): string[] =>
  [...html.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell = '']) => cell.replaceAll(/<[^>]+>/g, ''));

describe('MemoryBody', () => {
  test('a row tells change, effect, verdict, situation and source, and can be forgotten', () => {
    expect(cells(show())).toEqual([
      'remove reward crowding',
      '+3, range +2 to +4 of 2 pairsepisode_return of agent, higher is better',
      'helped',
      'simple_spread v1, after round 2; uncovered fired',
      'quickstart · 2d7c, coached, seed 1',
      'forget',
    ]);
    const forgotten = show({ entries: ready([makeMemory({ isForgotten: true })]) });
    expect(cells(forgotten).at(-1)).toBe('remember');
  });

  test('the EDL of a change can be opened by who has no pointer; a removal has none', () => {
    const edl = 'reward near { for a in agent give 1 to a }';
    const changed = makeMemory({ changes: [{ op: 'add', target: 'reward near', edl }] });
    expect(show({ entries: ready([changed]) })).toContain(`<pre class="mono prose">${edl}</pre></details>`);
    expect(show()).not.toContain('<details>');
    expect(show({ entries: ready([changed]) })).not.toContain('title=');
  });

  test('what a study froze is fixed: its hash is told, and nothing of it is forgotten here', () => {
    const html = show({ shown: 'f00dfeed' });
    expect(html).toContain('f00dfeed');
    expect(cells(html)).toHaveLength(5);
  });

  test('says which runs use memory, or how one comes to', () => {
    const frozen = [{ hash: 'f00dfeed0123', uses: ['quickstart · 2d7c · 08:32: coached, 5 runs'] }];
    const html = show({ frozen });
    expect(html).toContain('Runs that use memory');
    expect(html.replaceAll(/<[^>]+>/g, '')).toContain('f00dfeed quickstart · 2d7c');
    expect(show()).toContain('memory: {}');
  });

  test('nothing yet, and nothing remembered, are told apart', () => {
    expect(show({ entries: pending })).toContain('Reading the record');
    expect(show({ entries: ready([]) })).toContain('Nothing is remembered');
  });
});
