import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const macApplications = ['Google Chrome', 'Chromium'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);

/** The browser of this machine: GYMWRIGHT_TEST_CHROMIUM, else one on the PATH. */
export function findChromium(): string | null {
  const named = process.env.GYMWRIGHT_TEST_CHROMIUM;
  const onPath = (process.env.PATH ?? '')
    .split(path.delimiter)
    .flatMap((folder) => names.map((name) => path.join(folder, name)));
  return [...(named ? [named] : []), ...onPath, ...macApplications].find((file) => existsSync(file)) ?? null;
}

/** Without sandbox, which containers do not offer, and without anything that would reach for a network. */
export function launchChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === null)
    throw new Error('no Chromium found: install it, or name its executable in GYMWRIGHT_TEST_CHROMIUM');
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
