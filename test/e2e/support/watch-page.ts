import type { Page } from 'playwright-core';

export interface PageWatch {
  /** Uncaught errors and console errors of the page so far. */
  readonly errors: readonly string[];
  violations(): Promise<readonly string[]>;
}

/** Runs in the page, before anything of it. */
const listen = `
  window.cspViolations = [];
  document.addEventListener('securitypolicyviolation', (event) => {
    window.cspViolations.push(event.violatedDirective + ' ' + event.blockedURI);
  });
`;

/** Listens for what must not happen in a page. Call it before the page is opened or reloaded. */
export async function watchPage(page: Page): Promise<PageWatch> {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.addInitScript(listen);
  return {
    errors,
    violations: () => page.evaluate<string[]>("window.cspViolations ?? ['the listener is missing']"),
  };
}
