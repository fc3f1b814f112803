import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from './support/chromium.ts';
import { makeSample, type Sample, type ServeProcess, startServe } from './support/sample.ts';
import {
  acceptProposal,
  compareRuns,
  editEnvironment,
  showReport,
  startStudy,
  stopStudy,
  watchEpisode,
} from './support/scenario.ts';
import { keepScreenshot } from './support/screenshots.ts';
import { type PageWatch, watchPage } from './support/watch-page.ts';

describe('workbench in a browser', () => {
  let sample: Sample;
  let serving: ServeProcess;
  let browser: Browser;
  let page: Page;
  let watch: PageWatch;

  beforeAll(async () => {
    sample = makeSample();
    [serving, browser] = await Promise.all([startServe(sample.root), launchChromium()]);
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    watch = await watchPage(page);
  });
  afterAll(async () => {
    await browser?.close();
    await serving?.interrupt();
    sample?.remove();
  });

  test('opens the workspace and takes the token out of the address', async () => {
    await page.goto(serving.url);
    await page.getByText('environments', { exact: true }).waitFor();
    await page.getByText('engine: idle').waitFor();
    expect(page.url()).toBe(`http://127.0.0.1:${serving.port}/`);
    await keepScreenshot(page, 'browser', '1-workspace');
  });

  test('shows an error where it is typed and forgets it when undone', () => editEnvironment(page, 'browser'));

  test('keeps unsaved text over a reload', async () => {
    const editor = page.locator('.editor-host[data-path="environments/spread.edl"]');
    await editor.locator('.view-lines').click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('// kept ');
    await page.reload();
    await page.getByText('// kept').waitFor({ timeout: 20_000 });
    await page.locator('.editor-host .view-lines').first().click();
    await page.keyboard.press('Control+K');
    await page.getByPlaceholder('Type a command or a file').fill("Take the file's text");
    await page.keyboard.press('Enter');
    await page.getByText('// kept').waitFor({ state: 'detached' });
  });

  test('starts a study and its curve moves', () => startStudy(page, 'browser'));

  test('a proposal waits in the inbox and is accepted', () => acceptProposal(page, 'browser'));

  test('compares two runs', () => compareRuns(page, 'browser'));

  test('reports what the changes did', () => showReport(page, 'browser'));

  test('watches how the policy plays', () => watchEpisode(page, 'browser'));

  test('stops the study', () => stopStudy(page));

  test('shows itself in the dark and in the high-contrast theme', async () => {
    for (const theme of ['dark', 'contrast']) {
      await page.getByTitle('Next theme').click();
      await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe(theme);
      await keepScreenshot(page, 'browser', `7-${theme}`);
    }
  });

  test('breaks no rule of its Content-Security-Policy and logs no error', async () => {
    expect(await watch.violations()).toEqual([]);
    expect(watch.errors).toEqual([]);
  });

  test('says so when the engine is gone, and an interrupted server ends with 0', async () => {
    expect(await serving.interrupt()).toBe(0);
    await page.getByText('The engine is gone.').waitFor();
    await keepScreenshot(page, 'browser', '8-engine-gone');
  });
});
