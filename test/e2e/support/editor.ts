import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** The editor of one open environment, as a person works in it. */
export interface EditorOfFile {
  readonly host: Locator;
  /** Everything in it, as it is drawn. */
  lines(): Promise<string>;
  /** Puts the cursor behind the first place where a text stands. */
  clickBehind(text: string): Promise<void>;
  /** Rests the pointer on the letter before the cursor. */
  pointAtCursor(): Promise<void>;
}

/** Opens a file from the explorer and waits for its text. */
export async function openEditor(page: Page, path: string): Promise<EditorOfFile> {
  const name = path.split('/').at(-1) ?? path;
  await page
    .getByRole('treeitem')
    .filter({ has: page.getByText(name, { exact: true }) })
    .click();
  const host = page.locator(`.editor-host[data-path="${path}"]`);
  await host.locator('.view-line').first().waitFor();
  return editorIn(page, host);
}

function editorIn(page: Page, host: Locator): EditorOfFile {
  const lines = async (): Promise<string> => {
    const lines = await host.locator('.view-line').evaluateAll((nodes) =>
      nodes
        .map((node) => ({
          top: Number.parseFloat((node as HTMLElement).style.top),
          text: node.textContent ?? '',
        }))
        .sort((a, b) => a.top - b.top),
    );
    return lines.map(({ text }) => text.replaceAll('\u00a0', ' ')).join('\n');
  };
  return {
    host,
    lines,
    async clickBehind(text) {
      await page.keyboard.press('Escape');
      const before = (await lines()).split(text, 1)[0] ?? '';
      const until = `${before}${text}`.split('\n');
      await host.locator('.view-lines').click({ position: { x: 5, y: 5 } });
      await page.keyboard.press('Control+G');
      await page
        .locator('.quick-input-box input')
        .fill(`:${until.length}:${(until.at(-1)?.length ?? 0) + 1}`);
      await page.keyboard.press('Enter');
      await page.locator('.quick-input-box input').waitFor({ state: 'hidden' });
      await waitForKeyboard(host);
    },
    async pointAtCursor() {
      const cursor = await host.locator('.cursor').first().boundingBox();
      if (cursor === null) throw new Error('there is no cursor');
      await page.mouse.move(cursor.x - 30, cursor.y + cursor.height / 2);
      await page.mouse.move(cursor.x - 4, cursor.y + cursor.height / 2, { steps: 4 });
    },
  };
}

/** The closing box hands the keyboard back a moment after it is gone; a key pressed in between is lost. */
async function waitForKeyboard(host: Locator): Promise<void> {
  const hasKeyboard = (node: Element): boolean =>
    node.querySelector('.inputarea:focus, .native-edit-context:focus') !== null;
  await expect.poll(() => host.evaluate(hasKeyboard), { timeout: 15_000 }).toBe(true);
}

/** Labels in the open completion list, without what stands beside them. */
export async function completions(page: Page): Promise<string[]> {
  const rows = page.locator('.suggest-widget.visible .monaco-list-row');
  await rows.first().waitFor();
  return (await rows.locator('.label-name').allInnerTexts()).map((label) => label.trim());
}

export async function waitForText(editor: EditorOfFile, text: string | RegExp): Promise<void> {
  await expect.poll(() => editor.lines(), { timeout: 15_000 }).toMatch(text);
}
