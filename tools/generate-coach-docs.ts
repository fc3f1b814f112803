import { writeFileSync } from 'node:fs';
import { snapshotJsonSchema } from '../src/engine/coach/snapshot/snapshot-schema.ts';

// Writes the published schema of snapshots from its source.
writeFileSync(
  'docs/coach/generated/snapshot.schema.json',
  `${JSON.stringify(snapshotJsonSchema(), null, 2)}\n`,
);
