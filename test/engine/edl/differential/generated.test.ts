import { test } from 'vitest';
import { expectThousandAlike } from '../../../support/edl-differential/expect-alike.ts';

test('1000 generated programs run natively as the reference evaluator reads them (seeds 1 to 1000)', {
  timeout: 120_000,
}, () => {
  expectThousandAlike(1);
});
