import { config } from 'zod';

/**
 * The page's Content-Security-Policy forbids eval, which zod tries for speed when a schema is made. Imported before anything that
 * makes one.
 */
config({ jitless: true });
