import { randomBytes } from 'node:crypto';
import { type Actor, defaultTenantId } from '@eas/contracts';
import { createSecretBox, newId } from '@eas/core';
import {
  createContext,
  type Database,
  openDatabase,
  type StatementWatch,
  type TenantLimits,
  type UseCaseContext,
} from '@eas/db';
import { beforeAll } from '@jest/globals';
import { afterAllOthers } from './suite-globals.ts';
import { runOnServer, serverUrlVariable, templateVariable, withDatabaseName } from './postgres-server.ts';
import { silentLogger } from './secret-watch.ts';
import { recordStatements } from './statements/record-statements.ts';
import { requireTenants, tenantTablesSql } from './statements/tenant-binding.ts';

export type TestDatabase = {
  readonly url: string;
  readonly database: Database;
  /** A context of the default tenant, or of another one. */
  context(options?: {
    tenantId?: string;
    actor?: Actor;
    limits?: Partial<TenantLimits> | undefined;
    signal?: AbortSignal;
    watch?: StatementWatch;
  }): UseCaseContext;
  /** Creates another tenant and returns its id. */
  createTenant(): Promise<string>;
  /**
   * Stops app_now() for all sessions of this database, so that time only passes by shiftClock, however long a test
   * takes; the clock of contexts stops too. A process's own clock continues.
   */
  stopClock(): Promise<void>;
  /** Lets app_now() continue from its current time. */
  startClock(): Promise<void>;
  /** Moves app_now() for all sessions of this database: this many seconds from now, or from where it was stopped. */
  shiftClock(seconds: number): Promise<void>;
};

/**
 * A database of its own for the test file: cloned from the migrated template, dropped at the end. Fails the file when
 * the code under test ran a statement that does not bind the tenant.
 */
export function useTestDatabase(): TestDatabase {
  const secrets = createSecretBox([randomBytes(32).toString('base64')]);
  const name = `eas_test_${randomBytes(6).toString('hex')}`;
  const recording = recordStatements();
  let tenantTables: string[] = [];
  let url = '';
  let database: Database | undefined;
  let stoppedAt: Date | undefined;
  const opened = () => {
    if (!database) throw new Error('the test database is open only while tests run');
    return database;
  };

  beforeAll(async () => {
    const serverUrl = process.env[serverUrlVariable];
    const template = process.env[templateVariable];
    if (!serverUrl || !template) throw new Error('no test server: run the suite through npm test');
    await runOnServer(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
    url = withDatabaseName(serverUrl, name);
    database = withClock(
      await openDatabase({ url, poolSize: 8, statementMs: 60_000, applicationName: 'test', logger: silentLogger }),
      () => stoppedAt,
    );
    tenantTables = (await database.db.query<{ name: string }>(tenantTablesSql)).map(({ name }) => name);
  });

  afterAllOthers(async () => {
    await database?.close();
    const serverUrl = process.env[serverUrlVariable];
    if (serverUrl) await runOnServer(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    recording.stop();
    requireTenants(recording.statements, tenantTables);
  });

  return {
    get url() {
      return url;
    },
    get database() {
      return opened();
    },
    context: ({ tenantId = defaultTenantId, actor = { id: 'system' }, ...caller } = {}) =>
      createContext({ database: opened(), secrets, logger: silentLogger }, { tenantId, actor, ...caller }),
    async createTenant() {
      const id = newId('tenant');
      await opened().db.prisma.tenant.create({ data: { id, slug: id.slice(-12), name: id } });
      return id;
    },
    async stopClock() {
      const [row] = await opened().db.query<{ now: Date }>('SELECT app_now() AS now');
      stoppedAt = row?.now;
      await this.shiftClock(0);
    },
    async startClock() {
      stoppedAt = undefined;
      await this.shiftClock(0);
    },
    async shiftClock(seconds) {
      const zero = stoppedAt ? `timestamptz '${stoppedAt.toISOString()}'` : 'now()';
      await opened().db.query(
        // Not in SQL, which plans would contain: a plan that is made now would keep the previous clock.
        `CREATE OR REPLACE FUNCTION app_now() RETURNS timestamptz LANGUAGE plpgsql STABLE
         AS $$ BEGIN RETURN date_trunc('milliseconds', ${zero}) + ${Number(seconds)} * interval '1 second'; END $$`,
      );
    },
  };
}

/** Its clock is measured once: a measurement while a test has moved it would be hours off for ten seconds. */
function withClock(database: Database, stoppedAt: () => Date | undefined): Database {
  const { clock } = database;
  const aheadMs = clock.now().getTime() - clock.monotonicMs();
  const now = () => new Date(stoppedAt() ?? Math.round(clock.monotonicMs() + aheadMs));
  return { ...database, clock: { ...clock, now } };
}
