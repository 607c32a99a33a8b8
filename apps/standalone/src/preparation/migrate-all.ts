import { grantAppRole, type RoleGrant, setRolePassword } from '@eas/db/admin';
import { migrate } from '@eas/db/migrate';
import type { Config } from '../config.ts';
import { alert } from '../terminal.ts';

export type Migrated = {
  applied: string[];
  /** The role of the apps, when it is another one. */ app: AppGrant | undefined;
};
type AppGrant = { role: string; grant: RoleGrant };

export const roleOf = (url: string): string => decodeURIComponent(new URL(url).username);

/**
 * Brings tables and queues up to date as the role that owns them, and grants them to the role of the apps if that is
 * another one. `embeddedAppUrl`: of the embedded database, where the role is made and has the password of the address.
 */
export async function migrateAll(config: Config, migrateUrl: string, embeddedAppUrl?: string): Promise<Migrated> {
  const applied = await migrate(migrateUrl, { onWait: alert });
  if (!config.redis.url) {
    const { preparePostgresQueues } = await import('@eas/queue');
    await preparePostgresQueues(migrateUrl);
  }
  return { applied, app: await grantApps(config, migrateUrl, embeddedAppUrl) };
}

async function grantApps(config: Config, migrateUrl: string, embeddedAppUrl?: string): Promise<AppGrant | undefined> {
  if (embeddedAppUrl) {
    const role = roleOf(embeddedAppUrl);
    const password = decodeURIComponent(new URL(embeddedAppUrl).password);
    const grant = await grantAppRole({ migrateUrl, role, password });
    if (grant !== 'made') await setRolePassword({ migrateUrl, role, password });
    return { role, grant };
  }
  if (!config.databaseUrl || !config.migrateDatabaseUrl) return undefined;
  const role = roleOf(config.databaseUrl);
  return { role, grant: await grantAppRole({ migrateUrl, role }) };
}
