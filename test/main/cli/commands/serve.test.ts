import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseLines, runCli } from '../../../support/run-cli.ts';
import { makeWorkspace, type SampleWorkspace } from '../../../support/sample-workspace.ts';

let workspace: SampleWorkspace;
beforeAll(() => {
  workspace = makeWorkspace();
});
afterAll(() => workspace.remove());

// `npm test` builds the page first.
describe.runIf(existsSync('out/renderer/index.html'))('serve', { timeout: 60_000 }, () => {
  test('gives an address with a token, and closes on an interrupt with 0', async () => {
    let page: Response | undefined;
    const { code, stdout } = await runCli(['serve', '--workspace', workspace.root, '--json'], {
      onStart: (child) => {
        child.stdout?.on('data', async (chunk: string) => {
          page = await fetch(String(parseLines(chunk)[0]?.url));
          child.kill('SIGINT');
        });
      },
    });
    expect(code).toBe(0);
    expect(parseLines(stdout)[0]).toMatchObject({
      event: 'serving',
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#token=.{20,}/),
      root: workspace.root,
    });
    expect(page?.status).toBe(200);
  });

  test('a port in use ends with 2 and names the port', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    try {
      const { code, stderr } = await runCli(['serve', '--workspace', workspace.root, '--port', String(port)]);
      expect(code).toBe(2);
      expect(stderr).toContain(String(port));
    } finally {
      server.close();
    }
  });
});
