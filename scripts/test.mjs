// `npm test`: works as the first command after a clone. Native tests, then vitest; arguments go to vitest, and
// the native tests are left out when there are any.
import { bootstrap } from './bootstrap/index.mjs';
import { runMain } from './bootstrap/report.mjs';
import { testNative } from './native-tests.mjs';
import { runVitest } from './vitest.mjs';

const args = process.argv.slice(2);

await runMain(() =>
  bootstrap(async () => {
    const nativeCode = args.length === 0 ? await testNative() : 0;
    const vitestCode = await runVitest('vitest', args);
    return nativeCode || vitestCode;
  }),
);
