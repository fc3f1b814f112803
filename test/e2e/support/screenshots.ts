import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { projectFolder } from './sample.ts';

/** Keeps a picture as a test artefact: test-results/<shell>-<name>.png. */
export async function keepScreenshot(page: Page, shell: string, name: string): Promise<void> {
  const folder = path.join(projectFolder, 'test-results');
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, `${shell}-${name}.png`) });
}
