import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/e2e/**', 'test/long/**', '**/node_modules/**'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    // Commands run from their sources in processes of their own: types are stripped once, not in each.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'build/compile-cache') },
  },
});
