import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { DecisionBar } from '../../../../src/renderer/panels/proposal/decision-bar.tsx';
import type { ProposalPanelView } from '../../../../src/renderer/panels/proposal/use-proposal.ts';
import { pending } from '../../../../src/renderer/state/loadable.ts';
import type { ValidationReason } from '../../../../src/shared/contract/coach.ts';
import { concludedTrial, makeProposal } from '../../support/fixtures.ts';

const nothing = (): void => undefined;
const lost = makeProposal({ trial: { ...concludedTrial, verdict: 'notBetter' } });
const reason: ValidationReason = {
  code: 'neverFires',
  severity: 'error',
  message: '',
  evidence: {},
  examples: [],
};

/** Buttons with their variants, left to right; those that cannot be pressed in brackets. */
function buttonsOf(change: Partial<ProposalPanelView>): string[] {
  const view: ProposalPanelView = {
    ...{ proposal: makeProposal(), evidence: pending, studyName: '', run: undefined, canDecide: true },
    ...{ tooLate: null, review: { mode: 'reading' }, isSending: false, diagnostics: [], refusal: null },
    ...{ note: '', setNote: nothing, startEditing: nothing, stopEditing: nothing, edit: nothing },
    decide: nothing,
    ...change,
  };
  const html = renderToStaticMarkup(createElement(DecisionBar, { view }));
  return [...html.matchAll(/<button([^>]*)>(.*?)<\/button>/g)].map(([, attributes = '', content = '']) => {
    const variant = /data-variant="(\w+)"/.exec(attributes)?.[1];
    const told = `${content.replaceAll(/<[^>]+>/g, '')}: ${variant}`;
    return attributes.includes('disabled') ? `[${told}]` : told;
  });
}

describe('DecisionBar', () => {
  test('what won its trial is accepted, what lost it is accepted nevertheless', () => {
    expect(buttonsOf({})).toEqual(['Reject: danger', 'Edit: plain', 'Accept: primary']);
    expect(buttonsOf({ proposal: lost })).toEqual([
      'Reject: danger',
      'Edit: plain',
      'Accept nevertheless: danger',
    ]);
  });

  test('a refusal of an edited text can be overruled; one that was not refused cannot', () => {
    const review = { mode: 'editing', text: 'environment e extends simple_spread {}' } as const;
    expect(buttonsOf({ review })).toEqual(['Discard edits: plain', 'Accept edited: primary']);
    expect(buttonsOf({ review, refusal: [reason] })).toEqual([
      'Discard edits: plain',
      'Accept nevertheless: danger',
      'Accept edited: primary',
    ]);
  });

  test('while a decision is sent there is no other', () => {
    expect(buttonsOf({ isSending: true })).toEqual([
      '[Reject: danger]',
      '[Edit: plain]',
      '[Accept: primary]',
    ]);
  });
});
