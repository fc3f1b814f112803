import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { keepScreenshot } from './screenshots.ts';

const trainingMs = 150_000;

/** A row of the explorer by its file name. */
function fileRow(page: Page, name: string): Locator {
  return page.getByRole('treeitem').filter({ has: page.getByText(name, { exact: true }) });
}

/** Scrolls the explorer, which draws no more rows than fit, until a row is there. */
export async function revealRow(page: Page, name: string): Promise<Locator> {
  const row = fileRow(page, name);
  await page.getByRole('treeitem').first().hover();
  for (let turn = 0; turn < 100 && (await row.count()) === 0; turn += 1) {
    await page.mouse.wheel(0, 100);
    await page.waitForTimeout(50);
  }
  return row;
}

/** Opens an environment, breaks it, sees the marker, and undoes. */
export async function editEnvironment(page: Page, shell: string): Promise<void> {
  await (await revealRow(page, 'spread.edl')).click();
  const editor = page.locator('.editor-host[data-path="environments/spread.edl"]');
  await editor.locator('.view-line').first().waitFor();
  await editor.locator('.view-lines').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\nreward broken {');
  await editor.locator('.squiggly-error').first().waitFor({ timeout: 15_000 });
  await page.locator('.problem[data-severity="error"]').first().waitFor();
  await keepScreenshot(page, shell, '2-diagnostics');
  for (let press = 0; press < 40 && (await isUnsaved(page)); press += 1)
    await page.keyboard.press('Control+Z');
  await editor.locator('.squiggly-error').waitFor({ state: 'detached', timeout: 15_000 });
  await page.getByText('No problems', { exact: true }).waitFor();
}

function isUnsaved(page: Page): Promise<boolean> {
  return page.getByRole('button', { name: 'Close spread.edl, which has unsaved changes' }).isVisible();
}

/** Starts the review study and watches its curve grow. */
export async function startStudy(page: Page, shell: string): Promise<void> {
  await page.getByLabel('Experiment', { exact: true }).selectOption('experiments/review.yaml');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText(/review: (running|queued)/).waitFor({ timeout: 30_000 });
  const chart = page.locator('.chart-card .chart-host[data-has-data="true"]').first();
  await chart.waitFor({ timeout: trainingMs });
  const before = await chart.screenshot();
  await expect
    .poll(async () => Buffer.compare(before, await chart.screenshot()) !== 0, {
      timeout: trainingMs,
      interval: 500,
    })
    .toBe(true);
  await keepScreenshot(page, shell, '3-training');
}

/** Waits for a proposal in the inbox, reads it and accepts it. */
export async function acceptProposal(page: Page, shell: string): Promise<void> {
  const waiting = page.locator('.list-row').filter({ hasText: 'waits for you' }).first();
  await waiting.waitFor({ timeout: trainingMs });
  await waiting.click();
  await page.locator('.diff-host .view-line').first().waitFor({ timeout: 20_000 });
  await page.getByText('Rule coach (written rules, no language model)').waitFor();
  await page.getByLabel('Note for the record').fill('accepted by the end-to-end test');
  await keepScreenshot(page, shell, '4-proposal');
  // Whether it won its trial is chance; which button there is follows from it.
  const hasLost = await page.getByText('not better than the control', { exact: true }).isVisible();
  const accept = hasLost ? 'Accept nevertheless' : 'Accept';
  await page.getByRole('button', { name: accept, exact: true }).click();
  await page.getByText(/Accepted by a person/).waitFor({ timeout: 20_000 });
  await keepScreenshot(page, shell, '5-accepted');
}

/** Compares the study's two runs. */
export async function compareRuns(page: Page, shell: string): Promise<void> {
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.getByRole('heading', { name: 'Configuration' }).waitFor({ timeout: 20_000 });
  await page.locator('tr[data-differs="true"]').first().waitFor();
  await page.locator('.compare .chart-host[data-has-data="true"]').waitFor({ timeout: 20_000 });
  const lastValues = page
    .locator('.compare section')
    .filter({ has: page.getByRole('heading', { name: /^Last value/ }) });
  expect(await lastValues.locator('th.number').allTextContents()).toEqual([
    'fixed · seed 1',
    'coached · seed 1',
  ]);
  await keepScreenshot(page, shell, '6-compare');
}

/** Opens the report of the study. */
export async function showReport(page: Page, shell: string): Promise<void> {
  await page.keyboard.press('Alt+8');
  await page.getByRole('heading', { name: 'What changing the environment did' }).waitFor({ timeout: 20_000 });
  await page.getByRole('heading', { name: 'Growth of the environments' }).waitFor();
  await keepScreenshot(page, shell, '6-report');
}

/** Watches an episode of the coached run: it plays by itself, and can be stepped through. */
export async function watchEpisode(page: Page, shell: string): Promise<void> {
  await page.getByRole('button', { name: 'Watch coached · seed 1' }).click();
  await page.getByRole('button', { name: 'Play the episode' }).click();
  const player = page.locator('.player');
  await player.waitFor({ timeout: 20_000 });
  await player.getByText('26 of 26').waitFor({ timeout: 20_000 });
  const last = await player.locator('img').getAttribute('src');
  await player.getByRole('button', { name: 'One step back' }).click();
  await player.getByText('25 of 26').waitFor();
  expect(await player.locator('img').getAttribute('src')).not.toBe(last);
  await keepScreenshot(page, shell, '6-watch');
}

/** Ends the study by its button. */
export async function stopStudy(page: Page): Promise<void> {
  const stop = page.getByRole('button', { name: 'Stop', exact: true });
  if (await stop.isVisible()) await stop.click();
  await page.getByText(/review: (stopped|finished)/).waitFor({ timeout: 60_000 });
}
