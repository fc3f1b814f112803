import { AppError } from '../../../../shared/std/app-error.ts';
import type { HttpConfig } from '../../config.ts';
import { isLoopback } from '../../model/pull/open-download.ts';

/** An endpoint that can be asked. */
export interface Endpoint {
  readonly url: URL;
  /** Null: none is sent. */
  readonly key: string | null;
}

/** From so many characters on a key is a secret; below it is a word that local servers ask for, such as "none". */
export const shortestSecret = 8;

/** What is wrong with the base address of an endpoint; null: nothing. */
export function addressFault(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    return 'must be an address that begins with https:// or http://';
  if (url.username !== '' || url.password !== '')
    return 'holds a name or password; name the environment variable of a key in "key"';
  if (url.search !== '' || url.hash !== '')
    return 'must end with its path, as in https://HOST/v1: what follows "?" or "#" would go on record';
  return null;
}

/** Whether what is sent there can be read on the way. */
export function isOpenRoad(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'http:' && !isLoopback(url.hostname);
}

/**
 * The endpoint of a coach block, with the key out of the environment. The key is read anew each time, and is kept nowhere.
 *
 * Throws: input.invalid.
 */
export function findEndpoint(config: HttpConfig, environment: NodeJS.ProcessEnv = process.env): Endpoint {
  if (config.url === null)
    throw new AppError('input.invalid', 'provider http needs an address: set `http.url` in the coach block');
  const fault = addressFault(config.url);
  if (fault !== null) throw new AppError('input.invalid', `\`http.url\` of the coach block ${fault}`);
  if (config.key !== null && isOpenRoad(config.url)) {
    throw new AppError(
      'input.invalid',
      `a key is not sent over http to ${new URL(config.url).host}: use https, or leave \`http.key\` out`,
    );
  }
  return {
    url: new URL(`${config.url.replace(/\/+$/, '')}/chat/completions`),
    key: config.key === null ? null : readKey(config.key, environment),
  };
}

function readKey(name: string, environment: NodeJS.ProcessEnv): string {
  const key = environment[name]?.trim() ?? '';
  if (key === '') {
    throw new AppError(
      'input.invalid',
      `the environment variable ${name} is not set, which \`http.key\` of the coach block names: set it to the key where gymwright is started, and start again`,
    );
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new AppError(
      'input.invalid',
      `the environment variable ${name} holds something else than a key: keys are one word of ASCII characters`,
    );
  }
  return key;
}
