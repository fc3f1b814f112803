import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the endpoint got it. */
export interface EndpointRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface FakeEndpoint {
  /** Base address, as an experiment names it. */
  readonly url: string;
  readonly requests: readonly EndpointRequest[];
  close(): Promise<void>;
}

/** A server of chat completions on a loopback address; `answer` is called for every request, counted from 0. */
export async function openFakeEndpoint(
  answer: (response: ServerResponse, request: EndpointRequest, index: number) => void,
): Promise<FakeEndpoint> {
  const requests: EndpointRequest[] = [];
  const server: Server = createServer((incoming, response) => {
    void readBody(incoming).then((body) => {
      const { url = '', headers } = incoming;
      const request = { path: url, authorization: headers.authorization, body };
      requests.push(request);
      answer(response, request, requests.length - 1);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(incoming: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of incoming) text += String(chunk);
  return JSON.parse(text) as Record<string, unknown>;
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** A completion with that content. */
export function completion(content: string, finish = 'stop'): object {
  return {
    model: 'fake-1',
    choices: [{ finish_reason: finish, message: { role: 'assistant', content } }],
    usage: { prompt_tokens: 12, completion_tokens: 7 },
  };
}
