import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { confinePaths, createDispatch, openEngine, serveWebSocket } from '../../engine/rpc/index.ts';
import { AppError } from '../../shared/std/app-error.ts';
import { libraryVersion } from '../../shared/std/library-version.ts';
import { findPackageFolder } from '../package-folder.ts';
import { createBrowserDesktop } from './browser-desktop.ts';

import { openInBrowser } from './open-browser.ts';
import { servePage } from './page-server.ts';
import { serveTransport } from './serve-transport.ts';

export interface ServeOptions {
  /** Workspace folder. */
  readonly root: string;
  /** 0, the default: any free port. */
  readonly port?: number;
  /** Default: 32 random bytes. Tests fix it. */
  readonly token?: string;
  readonly openBrowser?: boolean;
  /** Ends the wait for an engine that holds the workspace and does not answer. */
  readonly signal?: AbortSignal;
  /** Folder of the built page; default: out/renderer of the installation. */
  readonly rendererFolder?: string;
}

export interface Serving {
  /** The whole address, token included. The token is in the fragment: it reaches no log and no Referer header. */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/**
 * The workbench of a workspace for a browser, on the loopback address. The engine is this process's own or, when another process
 * holds the workspace, that one. Throws server.portInUse, input.notFound (page not built), what opening the workspace throws.
 */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { root, port = 0, token = randomBytes(32).toString('base64url') } = options;
  const page = await servePage(options.rendererFolder ?? findRenderer(), port);
  const waiting = options.signal === undefined ? {} : { signal: options.signal };
  const engine = await openEngine({ root, ...waiting }).catch((thrown: unknown) => {
    page.server.close();
    throw thrown;
  });
  const shell = createDispatch({ desktop: createBrowserDesktop(libraryVersion) });
  const served = confinePaths(serveTransport(engine.transport, shell), path.resolve(root));
  const closeSockets = serveWebSocket(served, {
    server: page.server,
    path: '/rpc',
    token,
    hosts: page.hosts,
  });
  const url = `http://127.0.0.1:${page.port}/#token=${token}`;
  if (options.openBrowser) openInBrowser(url);
  return {
    url,
    port: page.port,
    async close() {
      closeSockets();
      page.server.closeAllConnections();
      await new Promise((resolve) => page.server.close(resolve));
      await engine.close();
    },
  };
}

function findRenderer(): string {
  const folder = path.join(findPackageFolder(), 'out', 'renderer');
  if (existsSync(path.join(folder, 'index.html'))) return folder;
  throw new AppError(
    'input.notFound',
    `the page of the workbench is not built (${folder}): run \`npm run build\` once`,
  );
}
