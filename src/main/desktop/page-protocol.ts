import { protocol } from 'electron';
import { readAsset, securityHeaders } from '../serve/static-files.ts';

export const pageScheme = 'app';
/** Origin of the workbench's page. A standard, secure scheme of its own: no file:// rights, no port. */
export const pageOrigin = `${pageScheme}://workbench`;
export const pageUrl = `${pageOrigin}/index.html`;

/** Has to happen before the app is ready. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: pageScheme, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** Answers app:// with the files of the renderer build and nothing else. */
export function servePageScheme(rendererFolder: string): void {
  protocol.handle(pageScheme, async (request) => {
    const url = new URL(request.url);
    const asset = url.host === 'workbench' ? await readAsset(rendererFolder, url.pathname) : null;
    if (asset === null) return new Response('not found', { status: 404, headers: { ...securityHeaders } });
    return new Response(asset.body, { headers: { ...asset.headers } });
  });
}
