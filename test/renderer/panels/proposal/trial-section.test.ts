import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { TrialSection } from '../../../../src/renderer/panels/proposal/trial-section.tsx';
import type { ProposalView } from '../../../../src/shared/contract/coach.ts';
import { concludedTrial, makeProposal } from '../../support/fixtures.ts';

const show = (change: Partial<ProposalView>): string =>
  renderToStaticMarkup(createElement(TrialSection, { proposal: makeProposal(change) }));

const wordsOf = (html: string): string => html.replaceAll(/<table.*<\/table>|<[^>]+>/g, '');

const tried = {
  candidate: 'reward crowding',
  pairs: [{ seed: '11', candidate: -12, control: -15 }],
  chargedSteps: 20_000,
};

describe('TrialSection', () => {
  test('a concluded trial says how many pairs decided, and shows them all', () => {
    const html = show({});
    expect(wordsOf(html)).toContain('range of 3 deciding pairs +1.9 to +3.7');
    expect(html.match(/<tr>/g)).toHaveLength(4);
  });

  test('no pair decided on what was screened out', () => {
    const trial = { ...concludedTrial, wasDecided: false, verdict: 'notBetter' as const };
    expect(wordsOf(show({ trial }))).toContain('range of 3 pairs that screened it out +1.9 to +3.7');
  });

  test('a trial that broke down says so, with its pairs and what they cost', () => {
    const html = show({
      state: 'rejected',
      trial: { ...tried, state: 'brokeDown', failure: 'training in it broke down: a loss is NaN' },
    });
    expect(wordsOf(html)).toBe(
      'What-if trialBroke down: training in it broke down: a loss is NaN; 1 paired seed scored; 20 k steps charged.',
    );
    expect(html).toContain('+3');
  });

  test('what is being tried is not called untried', () => {
    expect(wordsOf(show({ state: 'trying', trial: null }))).toContain('Being tried out.');
    expect(wordsOf(show({ state: 'trying', trial: { ...tried, state: 'unfinished' } }))).toContain(
      'Being tried out: 1 paired seed scored; 20 k steps charged.',
    );
    expect(wordsOf(show({ state: 'rejected', trial: { ...tried, state: 'unfinished' } }))).toContain(
      'Not tried out to the end: 1 paired seed scored',
    );
    expect(wordsOf(show({ state: 'awaiting', trial: null }))).toContain('Not tried out.');
    const untried = 'the budget does not pay for it';
    expect(wordsOf(show({ state: 'awaiting', trial: null, untried }))).toContain(
      `Not tried out: ${untried}.`,
    );
  });
});
