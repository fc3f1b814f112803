import { test } from 'vitest';
import { expectThousandAlike } from '../../../support/edl-differential/expect-alike.ts';

test('1000 generated programs run natively as the reference evaluator reads them (seeds 1001 to 2000)', {
  timeout: 120_000,
}, () => {
  expectThousandAlike(1001);
});
