import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../shared/std/app-error.ts';

/** A file of the renderer build, ready to be answered with. */
export interface Asset {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Monaco needs inline styles and data images, everything else is from the page's own origin; nothing may be evaluated, framed or
 * sent elsewhere.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
].join('; ');

/** Headers of every answer to the page, from the server as from app://. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
};

/**
 * The file that an address of the page names, or null when it names none inside the folder: encoded dots and slashes,
 * backslashes and NUL are refused, whatever they would lead to.
 */
export function resolveAsset(folder: string, urlPath: string): string | null {
  let decoded: string;
  try {
    decoded = decodeURIComponent(urlPath);
  } catch {
    return null;
  }
  if (!decoded.startsWith('/') || /[\\\0]/.test(decoded) || decoded.split('/').includes('..')) return null;
  const file = path.join(folder, decoded === '/' ? 'index.html' : decoded);
  return file.startsWith(folder + path.sep) && path.extname(file) in contentTypes ? file : null;
}

/** Reads an asset, or null when there is none of that name. Names under assets/ hold a content hash and may be kept for good. */
export async function readAsset(folder: string, urlPath: string): Promise<Asset | null> {
  const file = resolveAsset(folder, urlPath);
  if (file === null) return null;
  try {
    const body = await readFile(file);
    const isHashed = path.basename(path.dirname(file)) === 'assets';
    return {
      body,
      headers: {
        ...securityHeaders,
        'content-type': contentTypes[path.extname(file)] ?? 'application/octet-stream',
        'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
      },
    };
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR') return null;
    throw new AppError('internal', `cannot read ${file}: ${AppError.from(thrown).message}`, {
      cause: thrown,
    });
  }
}
