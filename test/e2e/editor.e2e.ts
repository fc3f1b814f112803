import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from './support/chromium.ts';
import { completions, type EditorOfFile, openEditor, waitForText } from './support/editor.ts';
import { makeSample, type Sample, type ServeProcess, startServe } from './support/sample.ts';
import { keepScreenshot } from './support/screenshots.ts';
import { type PageWatch, watchPage } from './support/watch-page.ts';

const base = `environment lab_base extends simple_spread {
  set agent.max_speed = 2 m/s

  // Kept by the layout
  reward approach "Near a landmark" {
    for a in agent
    when distance(a, nearest(landmark)) < 0.3 m
    give 0.05 to a
    limit 10% of nominal
  }
}
`;

const lab = `environment lab extends "lab-base.edl" {
  without reward approach

  rule calm "Slower near others" {
    for a in agent
    when any(b in ally(a) where distance(a, b) < 0.2 m)
    then a.accel *= 0.8
  }
}
`;

describe('EDL in the editor', () => {
  let sample: Sample;
  let serving: ServeProcess;
  let browser: Browser;
  let page: Page;
  let watch: PageWatch;
  let editor: EditorOfFile;

  beforeAll(async () => {
    sample = makeSample();
    const folder = path.join(sample.root, 'environments');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'lab-base.edl'), base);
    writeFileSync(path.join(folder, 'lab.edl'), lab);
    [serving, browser] = await Promise.all([startServe(sample.root), launchChromium()]);
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(15_000);
    watch = await watchPage(page);
    await page.goto(serving.url);
    editor = await openEditor(page, 'environments/lab-base.edl');
  });
  afterAll(async () => {
    await browser?.close();
    await serving?.interrupt();
    sample?.remove();
  });

  test('a misspelt attribute is marked, and the quick fix mends it', async () => {
    await editor.clickBehind('nearest(landmark)) < 0.3 m');
    await page.keyboard.type(' and a.max_sped > 1 m/s', { delay: 5 });
    await page.keyboard.press('Escape');
    await editor.host.locator('.squiggly-error').first().waitFor({ timeout: 15_000 });
    await editor.clickBehind('a.max_sped');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Control+.');
    await page.getByText('Replace by max_speed', { exact: true }).waitFor();
    await keepScreenshot(page, 'editor', '1-quick-fix');
    await page.keyboard.press('Enter');
    await waitForText(editor, /< 0\.3 m and a\.max_speed > 1 m\/s/);
    await editor.host.locator('.squiggly-error').waitFor({ state: 'detached', timeout: 15_000 });
  });

  test('completion shows the attributes of what stands before a dot, and the units that fit', async () => {
    await editor.clickBehind('> 1 m/s');
    await page.keyboard.type(' and a.', { delay: 5 });
    const labels = await completions(page);
    expect(labels).toEqual(expect.arrayContaining(['accel', 'max_speed', 'x']));
    expect(labels).not.toContain('landmark');
    await keepScreenshot(page, 'editor', '2-completion');
    await page.keyboard.type('acc');
    await expect.poll(() => completions(page)).toEqual(['accel']);
    await page.keyboard.press('Enter');
    await page.keyboard.type(' > 0.1 ', { delay: 5 });
    expect(await completions(page)).toEqual(['m/s^2']);
    await page.keyboard.press('Enter');
    await waitForText(editor, /and a\.accel > 0\.1 m\/s\^2/);
    await editor.host.locator('.squiggly-error').waitFor({ state: 'detached', timeout: 15_000 });
  });

  test('a declaration is written from its snippet', async () => {
    await editor.clickBehind('max_speed = 2 m/s');
    await page.keyboard.press('Enter');
    await page.keyboard.type('iss', { delay: 5 });
    expect(await completions(page)).toContain('issue');
    await page.keyboard.press('Enter');
    await waitForText(editor, /issue name "the symptom" \{/);
    await keepScreenshot(page, 'editor', '3-snippet');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Z');
    await page.keyboard.press('Control+Z');
  });

  test('hover tells unit, range and default', async () => {
    await editor.clickBehind('set agent.max');
    await editor.pointAtCursor();
    const hover = page.locator('.monaco-hover:visible');
    await hover.getByText(/parameter/).waitFor({ timeout: 15_000 });
    const told = (await hover.textContent()) ?? '';
    expect(told).toMatch(/m\/s to .*m\/s, default/);
    expect(told).toContain('Here: 2 m/s');
    await keepScreenshot(page, 'editor', '4-hover');
  });

  test('renames a reward, and refuses a name that is taken', async () => {
    await editor.clickBehind('reward approach');
    await page.keyboard.press('F2');
    const box = page.locator('.rename-box input.rename-input, .rename-box textarea').first();
    await box.waitFor();
    await box.fill('near');
    await page.keyboard.press('Enter');
    await waitForText(editor, /reward near "Near a landmark"/);
    await editor.clickBehind('nearest');
    await page.keyboard.press('F2');
    await editor.host.getByText(/is a word of the language/).waitFor();
  });

  test('the layout keeps comments', async () => {
    await editor.clickBehind('for a in agent');
    await page.keyboard.type('      ');
    await page.keyboard.press('Shift+Alt+F');
    await waitForText(editor, /for a in agent\n {4}when/);
    expect(await editor.lines()).toContain('// Kept by the layout');
  });

  test('the outline finds a declaration', async () => {
    await editor.clickBehind('for a in agent');
    await page.keyboard.press('Control+Shift+O');
    const rows = page.locator('.quick-input-list .monaco-list-row');
    await rows.first().waitFor();
    expect((await rows.allInnerTexts()).join('\n')).toMatch(/near/);
    await keepScreenshot(page, 'editor', '5-outline');
    await page.keyboard.press('Escape');
  });

  test('goes to a definition, also into the file that is extended', async () => {
    await page.keyboard.press('Control+S');
    const other = await openEditor(page, 'environments/lab.edl');
    await other.host.locator('.squiggly-error').first().waitFor({ timeout: 15_000 });
    await other.clickBehind('without reward ');
    await page.keyboard.press('Shift+End');
    await page.keyboard.type('near', { delay: 5 });
    await page.keyboard.press('Escape');
    await other.host.locator('.squiggly-error').waitFor({ state: 'detached', timeout: 15_000 });
    await page.keyboard.press('F12');
    await expect
      .poll(() => page.evaluate('document.activeElement?.closest(".editor-host")?.dataset.path'), {
        timeout: 15_000,
      })
      .toBe('environments/lab-base.edl');
    await keepScreenshot(page, 'editor', '6-definition');
  });

  test('shows its colours in the dark', async () => {
    await page.getByTitle('Next theme').click();
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    await editor.clickBehind('limit 10% of nominal');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Space');
    expect(await completions(page)).toContain('decay');
    await keepScreenshot(page, 'editor', '7-dark');
  });

  test('breaks no rule of its Content-Security-Policy and logs no error', async () => {
    expect(await watch.violations()).toEqual([]);
    expect(watch.errors).toEqual([]);
  });
});
