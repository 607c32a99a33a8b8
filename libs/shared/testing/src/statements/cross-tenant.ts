type Allowance = { file: RegExp; sql?: RegExp; reason: string };

/** Statements that do not need to bind the tenant: nothing else crosses tenants. */
const allowances: readonly Allowance[] = [
  { file: /\.sweeper\.ts$/, reason: 'finds what is due in all tenants' },
  { file: /^libs\/shared\/db\/src\/migrations\//, reason: 'changes all rows, before anybody calls' },
  { file: /^libs\/shared\/queue\/src\/backends\/postgres-backend\.ts$/, reason: 'the tables of the queue are its own' },
  {
    file: /^libs\/receiving\/src\/verifying\/candidate\.read-model\.ts$/,
    reason: 'the tenant of a receipt is known once a secret has verified it',
  },
  {
    file: /^libs\/access\/src\/keys\/api-key\.read-model\.ts$/,
    sql: /hash = \$1/,
    reason: 'a key itself says which tenant it belongs to',
  },
  {
    file: /^libs\/access\/src\/sessions\/(?:session|access-link)\.read-model\.ts$/,
    sql: /token_hash = \$1/,
    reason: 'a session and a link themselves say which tenant they belong to',
  },
  {
    file: /^libs\/access\/src\/users\/user\.read-model\.ts$/,
    sql: /WHERE email = \$1/,
    reason: 'who signs in names no tenant: an e-mail address is unique over all of them',
  },
  {
    file: /^libs\/access\/src\/oauth\/(?:token|protocol)\.read-model\.ts$/,
    reason: 'a client, a code and a token say themselves which tenant they belong to',
  },
  {
    file: /^libs\/analytics\/src\/tenant-usage\/open-months\.read-model\.ts$/,
    sql: /\(SELECT min\(month\) AS month FROM tenant_usage\)/,
    reason: 'usage begins with the same month for all tenants that are older',
  },
  {
    file: /^libs\/shared\/db\/src\/lists\/list-page\.ts$/,
    sql: /UNION ALL[^]*\) AS counted WHERE tenant_id = \$1/,
    reason: 'both halves show tenant_id, and the whole is narrowed by it',
  },
];

/** Why a file may run the statement across tenants; undefined: it may not. */
export function allowance(file: string, sql: string): string | undefined {
  return allowances.find((one) => one.file.test(file) && (one.sql?.test(sql) ?? true))?.reason;
}
