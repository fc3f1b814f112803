import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import {
  latestVersion,
  migrate,
  migrations,
  schemaVersion,
} from '../../../../src/engine/store/migrations/migrate.ts';

function schemaOf(db: Database.Database): unknown[] {
  return db
    .prepare("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name")
    .all();
}

describe('migrate', () => {
  test('versions count up from 1 without a gap', () => {
    expect(migrations.map(({ version }) => version)).toEqual(
      Array.from({ length: latestVersion }, (_, index) => index + 1),
    );
  });

  test('step by step and at once give the same schema', () => {
    const stepwise = new Database(':memory:');
    for (const { version } of migrations) migrate(stepwise, version);
    const direct = new Database(':memory:');
    migrate(direct);
    expect(schemaOf(stepwise)).toEqual(schemaOf(direct));
    expect(schemaVersion(direct)).toBe(latestVersion);
  });

  test('doing it again changes nothing', () => {
    const db = new Database(':memory:');
    migrate(db);
    const before = schemaOf(db);
    migrate(db);
    expect(schemaOf(db)).toEqual(before);
  });

  test('one that fails half-way leaves the version before it', () => {
    const db = new Database(':memory:');
    migrate(db, 1);
    db.exec('CREATE VIEW series_summary AS SELECT 1');
    expect(() => migrate(db)).toThrow();
    expect(schemaVersion(db)).toBe(1);
  });
});
