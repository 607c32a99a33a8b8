export {
  countTries,
  type EventSizes,
  findStoredEvent,
  holdBackEvents,
  maxConsumeAttempts,
  requeueEvents,
  type PendingTries,
  postponePendingEvent,
  readEventSizes,
  readPendingTries,
  takePendingEvents,
  takePendingIds,
} from './consume.ts';
export { assertBelowLimit, defaultTenantLimits, type TenantLimits } from './tenant-limits.ts';
export { batched, type BatchItem, needsOwnTransaction } from './batched.ts';
export {
  contextInTransaction,
  contextOfOther,
  createContext,
  eachInTransaction,
  type UseCaseContext,
} from './context.ts';
export { textArray } from './connection/text-array.ts';
export { type Database, gatherTogether, openDatabase } from './database.ts';
export type { StatementWatch } from './connection/pool.ts';
export { statementTimeoutMs } from './connection/connection-options.ts';
export { limitOptions, migrationOptions } from './connection/session-settings.ts';
export { type Db, type DbScope } from './connection/db.ts';
export { createGatherer, type GatheredStatement, type BatchResult, type Wake } from './connection/gather.ts';
export { Prisma } from './generated/client.ts';
export { type History, type HistoryEntry } from './history.ts';
export { boundedRowsSql } from './lists/bounded-rows.ts';
export { distinctKeysSql } from './plans/distinct-keys.ts';
export { isLockedRowSql } from './plans/locked-rows.ts';
export { firstRowsSql, rowByKeySql, type RowLock, rowsByKeySql } from './plans/rows-of-each.ts';
export {
  inAnyOrderSql,
  inFreshIndexOrderSql,
  inIndexOrderSql,
  markingHeadSql,
  unsyncedSql,
} from './plans/transaction-settings.ts';
export { columnOf, selectList, valuesOf } from './lists/select-list.ts';
export { writeCursor } from './lists/list-cursor.ts';
export { fetchPage } from './lists/list-page.ts';
export { type Condition, equalFields, equals, type ListSource, type SortKey, within } from './lists/list-source.ts';
export { type StoredEntry, timelineItem, timelineSource } from './lists/timeline-source.ts';
export { createChangeWaits, type ChangeWait, type ChangeWaits, tooManyWaiting } from './connection/change-waits.ts';
export { type Listener } from './connection/notify.ts';
export { type EventRow, eventRow, type NewEvent } from './transactions/event-row.ts';
export { openSecretBox, tryCanaries } from './secrets/open-secret-box.ts';
export { countSealed, reseal, type Resealed, type SealedTable } from './secrets/reseal.sweeper.ts';
export { forgetCanaries } from './secrets/canary.sweeper.ts';
export { column, type RowOf, sqlOf } from './columns.ts';
export { requireActiveTenant } from './transactions/active-tenant.ts';
export { append, availableAtSql, eventColumnsSql, insertEventsSql } from './transactions/outbox.ts';
export { newestBackup, recordBackup } from './server/backup.store.ts';
export { firstToEnd, peerValidity, type Validity } from './server/certificate.ts';
export { readServerCertificate } from './server/server-certificate.ts';
export { readReplication, readServerState, readStorage } from './server/server-state.read-model.ts';
export { readDatabaseVersions } from './migrations/migration-state.ts';
export { createEventPartitions } from './migrations/partitions.ts';
export { keepNewest } from './retention/newest-rows.sweeper.ts';
export { requireWritable } from './retention/archive.ts';
export { auditHistory, sweepTenantHistory, type TenantHistory } from './retention/tenant-history.sweeper.ts';
export { inBatches, removeInBatches } from './retention/batches.sweeper.ts';
export { nextRemovalAt, removeTenant, sweepRemovedTenants } from './removed-tenant.sweeper.ts';
export { type Retention } from './retention/retention.ts';
export { type RetentionObserver, sweepHistory } from './retention/sweep-history.ts';
export { brokenConstraint, isTimeout, sqlStateOf } from './connection/sql-error.ts';
export { isDatabaseUnavailable, isUnavailable, Unavailable } from './connection/unavailable.ts';
export { lockName, lockNames, lockRow, tryLockName, whenFree } from './transactions/locks.ts';
export { earliestAt, earliestOfFewSql } from './earliest-at.sweeper.ts';
export { sweepAlone, sweepEach } from './sweep-each.ts';
export { claimTime } from './claimed-times.sweeper.ts';
export { type Loudest, readLoudest, recordLoads, sweepLoads } from './load/tenant-load.sweeper.ts';
export { bytesOfCall, createTenantLoads, databaseMsOfCall, type TenantLoads } from './load/tenant-loads.ts';
export { sampleStorage } from './storage/tenant-storage.sweeper.ts';
export {
  caughtUpSql,
  handledBeforeSql,
  lastNumberBeforeSql,
  lockEventCursor,
  moveEventCursor,
  readEventsAfter,
} from './event-cursor.ts';
export { inSavepoint } from './transactions/savepoint.ts';
export { sendWrite, type Tx } from './transactions/tx.ts';
