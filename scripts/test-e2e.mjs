// `npm run test:e2e`: the workbench in Chromium, and in Electron where GYMWRIGHT_TEST_ELECTRON names a binary.
import { bootstrap } from './bootstrap/index.mjs';
import { runMain } from './bootstrap/report.mjs';
import { runVitest } from './vitest.mjs';

const args = ['--config', 'vitest.e2e.config.mts', ...process.argv.slice(2)];
await runMain(() => bootstrap(() => runVitest('e2e', args)));
