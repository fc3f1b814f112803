import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { ProbeSection } from '../../../../src/renderer/panels/report/probe-section.tsx';
import type { ProbeSummary } from '../../../../src/shared/contract/coach-probe.ts';
import { demoReport } from '../../support/harness/demo-report.ts';

const figure = (value: number) => ({ value, low: value - 0.14, high: value + 0.2 });
const figures = { top1: figure(0.18), top3: figure(0.43), reciprocalRank: figure(0.33) };

const probe: ProbeSummary = {
  version: 2,
  provider: 'llama',
  model: 'SmolLM2-135M',
  modelHash: '0f1e',
  promptHash: 'abcdef0123456789',
  isShuffled: false,
  defects: 'd',
  numDefects: 44,
  figures,
  overRandom: { top1: figure(0), top3: figure(0), reciprocalRank: figure(0) },
  scenarios: [],
  overShuffled: null,
};

const show = (probes: ProbeSummary[]): string =>
  renderToStaticMarkup(createElement(ProbeSection, { report: { ...demoReport, studyId: 's', probes } }));

describe('ProbeSection', () => {
  test('a row for everybody who was asked, with own and with shuffled snapshots', () => {
    const rows = show([probe, { ...probe, isShuffled: true }])
      .split('<tr>')
      .slice(2);
    expect(rows).toHaveLength(2);
    expect(rows[0]).toContain('llama (SmolLM2-135M)');
    expect(rows[0]).toContain('abcdef01<');
    expect(rows[1]).toContain('shuffled');
  });

  test('differences have their sign, shares have none', () => {
    const text = show([probe]).replaceAll(/<[^>]+>/g, '');
    expect(text).toContain('18 % [4, 38]');
    expect(text).toContain('0 % [−14, +20]');
  });

  test('the row with own snapshots says how far it is above the one with shuffled', () => {
    const both = {
      ...probe,
      overShuffled: { ...figures, reciprocalRank: { value: 0.074, low: -0.1, high: 0.25 } },
    };
    const [own, shuffled] = show([both, { ...both, isShuffled: true }])
      .split('<tr>')
      .slice(2)
      .map((row) => row.replaceAll(/<[^>]+>/g, ''));
    expect(own).toMatch(/\+0\.07 \[−0\.1, \+0\.25\]$/);
    expect(shuffled).toMatch(/–$/);
  });

  test('says how to measure where nobody was asked', () => {
    expect(show([])).toContain('gymwright coach probe');
  });
});
