import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeSample, projectFolder, type Sample } from './support/sample.ts';
import {
  acceptProposal,
  compareRuns,
  editEnvironment,
  startStudy,
  stopStudy,
  watchEpisode,
} from './support/scenario.ts';
import { keepScreenshot } from './support/screenshots.ts';

const executablePath = process.env.GYMWRIGHT_TEST_ELECTRON ?? '';
const obstacle = !existsSync(executablePath)
  ? 'GYMWRIGHT_TEST_ELECTRON names no Electron executable'
  : process.platform === 'linux' && !process.env.DISPLAY
    ? 'there is no display: run it under xvfb-run'
    : null;
if (obstacle !== null) console.warn(`desktop tests are skipped: ${obstacle}`);

describe.skipIf(obstacle !== null)('workbench in Electron', () => {
  let sample: Sample;
  let profile: string;
  let application: ElectronApplication;
  let page: Page;
  const violations: string[] = [];

  beforeAll(async () => {
    sample = makeSample();
    profile = mkdtempSync(path.join(tmpdir(), 'gymwright-profile-'));
    application = await _electron.launch({
      executablePath,
      args: ['--no-sandbox', '--disable-gpu', projectFolder, '--workspace', sample.root],
      env: { ...stringEnvironment(), XDG_CONFIG_HOME: profile, GYMWRIGHT_NODE: process.execPath },
    });
    page = await application.firstWindow();
    page.on('console', (message) => {
      if (/Content Security Policy/i.test(message.text())) violations.push(message.text());
    });
  });
  afterAll(async () => {
    await application?.close();
    sample?.remove();
    if (profile) rmSync(profile, { recursive: true, force: true });
  });

  test('opens the workspace named on the command line', async () => {
    await page.getByText('environments', { exact: true }).waitFor();
    await page.getByText('engine: idle').waitFor();
    expect(page.url()).toBe('app://workbench/index.html');
    await keepScreenshot(page, 'desktop', '1-workspace');
  });

  test('the page is sandboxed and has nothing of Node', async () => {
    const globals = await page.evaluate<unknown>(`({
      node: ['require', 'process', 'module', 'Buffer'].filter((name) => name in window),
      bridge: Object.keys(window.gymwright).sort(),
    })`);
    expect(globals).toEqual({ node: [], bridge: ['onClose', 'onEvent', 'request'] });
    const preferences = await application.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      // Not in Electron's types, but what it was really made with.
      const contents = window?.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> };
      const { sandbox, contextIsolation, nodeIntegration } = contents.getLastWebPreferences();
      return { sandbox, contextIsolation, nodeIntegration };
    });
    expect(preferences).toEqual({ sandbox: true, contextIsolation: true, nodeIntegration: false });
  });

  test('app:// serves nothing outside the page', async () => {
    const statuses = await page.evaluate(async () => {
      const urls = [
        'app://workbench/%2e%2e/main/index.js',
        'app://workbench/..%2fmain%2findex.js',
        'app://workbench/index.html',
      ];
      return Promise.all(urls.map(async (url) => (await fetch(url)).status));
    });
    expect(statuses).toEqual([404, 404, 200]);
  });

  test('shows an error where it is typed and forgets it when undone', () => editEnvironment(page, 'desktop'));

  test('starts a study and its curve moves', () => startStudy(page, 'desktop'));

  test('a proposal waits in the inbox and is accepted', () => acceptProposal(page, 'desktop'));

  test('compares two runs', () => compareRuns(page, 'desktop'));

  test('watches how the policy plays', () => watchEpisode(page, 'desktop'));

  test('stops the study', () => stopStudy(page));

  test('a dead engine is shown and can be started again', async () => {
    const status = page.getByRole('button', { name: /^engine:/ });
    const pid = Number(/process (\d+)/.exec((await status.getAttribute('title')) ?? '')?.[1]);
    process.kill(pid, 'SIGKILL');
    await page.getByText('The engine is gone.').waitFor({ timeout: 20_000 });
    await keepScreenshot(page, 'desktop', '7-engine-gone');
    await page.getByRole('button', { name: 'Start it again' }).click();
    await page.getByText('engine: idle').waitFor({ timeout: 30_000 });
    await page.getByText('review', { exact: true }).first().waitFor();
  });

  test('breaks no rule of its Content-Security-Policy', () => {
    expect(violations).toEqual([]);
  });

  // Last: the browser driver waits for good for a navigation that was refused.
  test('neither leaves its page nor opens another window', async () => {
    await page.evaluate(`
      window.open('https://example.invalid/');
      window.location.href = 'https://example.invalid/';
    `);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const urls = await application.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((window) => window.webContents.getURL()),
    );
    expect(urls).toEqual(['app://workbench/index.html']);
  });
});

function stringEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return Object.fromEntries(entries);
}
