import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { FunnelSection } from '../../../../src/renderer/panels/report/proposal-sections.tsx';
import type { FunnelRow } from '../../../../src/shared/contract/report.ts';
import { demoReport } from '../../support/harness/demo-report.ts';

const show = (funnel: FunnelRow[]): string =>
  renderToStaticMarkup(createElement(FunnelSection, { report: { ...demoReport, studyId: 's', funnel } }));

test('FunnelSection says why no answer of an arm was usable', () => {
  const counts = { asked: 2, parsed: 0, valid: 0, tried: 0, accepted: 0, improved: 0 };
  const row: FunnelRow = { arm: 'coached', provider: 'llama', model: null, prompt: null, ...counts };
  expect(show([row])).not.toContain('usable');
  const unusable = { count: 2, code: 'model.invalid', message: 'the file is cut off' };
  expect(show([{ ...row, unusable }])).toContain('(2×): the file is cut off (model.invalid)');
});
