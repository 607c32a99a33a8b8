/**
 * Adds to SQL of Prisma what its schema cannot say: ids are collated "C", and statements on a table of tenants are planned
 * for the largest one.
 */
export function migrationSql(sql: string): string {
  const collated = sql.replaceAll(/("(?:\w+_)?id") TEXT\b/g, '$1 TEXT COLLATE "C"');
  const created = [...sql.matchAll(/^CREATE TABLE "(\w+)" \(([^;]*)\);/gm)];
  const calls = created
    .filter(([, , columns = '']) => columns.includes('"tenant_id"'))
    .map(([, table]) => `plan_for_largest_tenant('${table}')`);
  return calls.length === 0 ? collated : `${collated.trimEnd()}\n\nSELECT ${calls.join(', ')};\n`;
}
