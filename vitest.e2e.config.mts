import { defineConfig } from 'vitest/config';

/** End-to-end tests: real browser, real engine, real training. One at a time. */
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.e2e.ts'],
    pool: 'forks',
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 240_000,
    hookTimeout: 60_000,
  },
});
