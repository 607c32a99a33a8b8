import type { ServerFacts } from '@eas/db/admin';
import { appNames } from '../apps.ts';
import { fail, type Finding, gigabytes, ok, warn } from './finding.ts';

const oldestMajor = 15;

/** `size`: DB_POOL. `isPooled`: the apps come through a connection pooler, which has a limit of its own. */
export type Pools = { size: number; isPooled: boolean };

/** The server and those of its settings that the service relies on. One line when all is well. */
export function examineServer(facts: ServerFacts, pools: Pools): Finding[] {
  const problems = [
    ...identityProblems(facts),
    ...durabilityProblems(facts),
    ...sessionProblems(facts),
    ...connectionProblems(facts, pools),
  ];
  const message = `Postgres ${facts.version}, ${gigabytes(facts.bytes)}, connected as ${facts.role}`;
  return [ok('postgres', message), ...problems];
}

function identityProblems({ major, version, encoding, isReplica, settings }: ServerFacts): Finding[] {
  const problems: Finding[] = [];
  if (major < oldestMajor)
    problems.push(fail('postgres', `version ${version} is too old`, `Use ${oldestMajor} or newer.`));
  if (encoding !== 'UTF8')
    problems.push(fail('postgres', `the database is encoded in ${encoding}`, 'Create it with encoding UTF8.'));
  if (isReplica || settings['default_transaction_read_only'] === 'on')
    problems.push(fail('postgres', 'the database is read-only', 'Set DATABASE_URL to the primary.'));
  return problems;
}

function durabilityProblems({ settings }: ServerFacts): Finding[] {
  const problems = ['fsync', 'full_page_writes'].filter((name) => settings[name] === 'off');
  const found = problems.map((name) =>
    fail('postgres', `${name} is off: a crash can destroy the data`, `Set ${name} to on.`),
  );
  if (settings['synchronous_commit'] === 'off')
    found.push(
      fail('postgres', 'synchronous_commit is off: a crash loses acknowledged work', 'Set synchronous_commit to on.'),
    );
  if (settings['autovacuum'] === 'off')
    found.push(warn('postgres', 'autovacuum is off: tables grow without end', 'Set autovacuum to on.'));
  return found;
}

function sessionProblems({ settings }: ServerFacts): Finding[] {
  const found: Finding[] = [];
  const isolation = settings['default_transaction_isolation'] ?? '';
  if (isolation !== 'read committed')
    found.push(
      fail(
        'postgres',
        `transactions are ${isolation} by default`,
        'Set default_transaction_isolation to read committed.',
      ),
    );
  if (settings['TimeZone'] !== 'UTC' && settings['TimeZone'] !== 'Etc/UTC')
    found.push(warn('postgres', `the time zone is ${settings['TimeZone']}`, 'Set timezone to UTC, as in the logs.'));
  return found;
}

/** What is open now, and what the pools of the processes that run, at least one of each app, may still open. */
function connectionProblems({ settings, sessions, pools }: ServerFacts, { size, isPooled }: Pools): Finding[] {
  const usable = Number(settings['max_connections'] ?? 0) - Number(settings['superuser_reserved_connections'] ?? 0);
  const processes = pools.reduce((count, open) => count + Math.ceil(open / size), 0);
  const pooled = pools.reduce((sum, open) => sum + open, 0);
  const needed = isPooled ? sessions : sessions - pooled + Math.max(processes, appNames.length) * size;
  if (needed <= usable) return [];
  const message = `${usable} connections can be open, ${sessions} are; with ${processes} processes of the apps it can be ${needed}`;
  return [warn('postgres', message, 'Raise max_connections, lower DB_POOL, or use a pooler.')];
}
