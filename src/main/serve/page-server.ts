import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { AppError } from '../../shared/std/app-error.ts';
import { readAsset, securityHeaders } from './static-files.ts';

const loopback = '127.0.0.1';

export interface PageServer {
  readonly server: Server;
  readonly port: number;
  /** Host headers a request may carry. */
  readonly hosts: readonly string[];
}

/**
 * Listens on the loopback address and answers with the files of the renderer build; the engine is reached over the WebSocket that
 * the caller attaches to `server`. Throws server.portInUse, input.invalid.
 */
export async function servePage(folder: string, port: number): Promise<PageServer> {
  const hosts: string[] = [];
  const server = createServer((request, response) => {
    answer(request, response, folder, hosts).catch((thrown: unknown) => {
      respond(response, 500, AppError.from(thrown).message);
    });
  });
  const bound = await listen(server, port);
  hosts.push(`${loopback}:${bound}`, `localhost:${bound}`);
  return { server, port: bound, hosts };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  folder: string,
  hosts: readonly string[],
): Promise<void> {
  // A page of another site can point its own name at this address; its requests then carry that name.
  if (!hosts.includes(request.headers.host ?? ''))
    return respond(response, 403, 'This host is not served. Use the address that `gymwright serve` printed.');
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return respond(response, 405, 'Only GET and HEAD are answered here.');
  const asset = await readAsset(folder, (request.url ?? '/').split(/[?#]/)[0] ?? '/');
  if (asset === null) return respond(response, 404, 'There is no such file here.');
  response.writeHead(200, { ...asset.headers, 'content-length': asset.body.byteLength });
  response.end(request.method === 'HEAD' ? undefined : asset.body);
}

function respond(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) return void response.end();
  response.writeHead(status, { ...securityHeaders, 'content-type': 'text/plain; charset=utf-8' });
  response.end(`${message}\n`);
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, port)));
    server.listen({ host: loopback, port, exclusive: true }, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function listenError(error: NodeJS.ErrnoException, port: number): AppError {
  if (error.code === 'EADDRINUSE') {
    const message = `port ${port} of ${loopback} is in use by another program: stop it, name another port with --port, or leave --port out to get a free one`;
    return new AppError('server.portInUse', message, { data: { port }, cause: error });
  }
  const message = `cannot listen on port ${port} of ${loopback} (${error.code ?? error.message}): name a port from 1024 up with --port`;
  return new AppError('input.invalid', message, { data: { port }, cause: error });
}
