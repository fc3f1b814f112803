import type Database from 'better-sqlite3';
import { AppError } from '../../shared/std/app-error.ts';
import { translateSqliteError } from './sqlite-errors.ts';

type Params = Readonly<Record<string, unknown>> | readonly unknown[];

/** A prepared statement whose failures are coded errors. Rows are typed by the aggregate that wrote the SQL. */
export interface Statement<Row> {
  run(params: Params): number;
  get(params: Params): Row | undefined;
  all(params: Params): Row[];
  iterate(params: Params): IterableIterator<Row>;
}

/** What an aggregate needs of the database. Nothing else in the store touches better-sqlite3. */
export interface Connection {
  readonly path: string;
  readonly isReadOnly: boolean;
  prepare<Row = never>(sql: string): Statement<Row>;
  /** Runs `work` in one immediate transaction (or in the one already open) after checking the right to write. */
  write<T>(work: () => T): T;
}

export interface WriteGuard {
  /** Throws when this process may not write (lease lost). Called inside every outermost write transaction. */
  assertHeld(): void;
}

/** Wraps an open database. `guard` is read at each transaction, so that it can be set after the lease is taken. */
export function createConnection(
  db: Database.Database,
  path: string,
  guard: { current: WriteGuard | null },
): Connection {
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw translateSqliteError(error, path);
    }
  };
  return {
    path,
    isReadOnly: db.readonly,
    prepare: <Row>(sql: string) =>
      wrapStatement<Row>(
        attempt(() => db.prepare(sql)),
        attempt,
      ),
    write<T>(work: () => T): T {
      if (db.inTransaction) return work();
      if (db.readonly) {
        throw new AppError(
          'workspace.readOnly',
          `${path} was opened for reading only: writing goes through the live engine.`,
        );
      }
      return attempt(() =>
        db
          .transaction(() => {
            guard.current?.assertHeld();
            return work();
          })
          .immediate(),
      );
    },
  };
}

type Attempt = <T>(work: () => T) => T;

function wrapStatement<Row>(
  statement: Database.Statement<unknown[], unknown>,
  attempt: Attempt,
): Statement<Row> {
  return {
    run: (params) => attempt(() => statement.run(params).changes),
    get: (params) => attempt(() => statement.get(params) as Row | undefined),
    all: (params) => attempt(() => statement.all(params) as Row[]),
    iterate: (params) => attempt(() => statement.iterate(params) as IterableIterator<Row>),
  };
}
