// `npm run test:native [-- --sanitize] [ctest options]`.
import { runMain } from './bootstrap/report.mjs';
import { testNative } from './native-tests.mjs';

const args = process.argv.slice(2);
await runMain(() =>
  testNative({
    sanitize: args.includes('--sanitize'),
    args: args.filter((arg) => arg !== '--sanitize'),
  }),
);
