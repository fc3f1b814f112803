import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { AppError } from '../../../../shared/std/app-error.ts';

export interface PostRequest {
  readonly url: URL;
  /** Sent as a bearer token; null: none. */
  readonly key: string | null;
  /** JSON */
  readonly body: string;
  readonly signal: AbortSignal;
}

export interface PostReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Answers are a few kilobytes; reasoning that is sent along is more. */
const maxReplyBytes = 1 << 20;

/**
 * One POST to exactly that address: redirects and proxies are not followed, and more than a mebibyte is not read.
 *
 * Throws: model.invalid for an answer without end; what node throws where there is no answer.
 */
export async function post({ url, key, body, signal }: PostRequest): Promise<PostReply> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      accept: 'application/json',
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    };
    send(url, { method: 'POST', headers, signal, agent: false }, resolve).on('error', reject).end(body);
  });
  const { statusCode = 0, headers } = response;
  return { status: statusCode, headers, text: await readBounded(response, url) };
}

async function readBounded(response: IncomingMessage, url: URL): Promise<string> {
  const chunks: Buffer[] = [];
  let numBytes = 0;
  // Leaving the loop ends the connection.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    numBytes += chunk.length;
    if (numBytes > maxReplyBytes) {
      throw new AppError(
        'model.invalid',
        `${url.host} answers with more than ${maxReplyBytes >> 10} KiB; nothing of it is used`,
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
