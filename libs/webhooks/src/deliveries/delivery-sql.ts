/** Due deliveries that a job carries or a worker sends right now. */
export const dueInHandSql = (table: string) =>
  `${table}.status = 'pending' AND ${table}.next_attempt_at <= app_now()
   AND (${table}.queued_until > app_now() OR ${table}.sending_until > app_now())`;

/** Due deliveries that nobody takes care of: never queued, their job was lost, or their worker died. */
export const dueAndFreeSql = (table: string) =>
  `${table}.status = 'pending' AND ${table}.next_attempt_at <= app_now()
   AND (${table}.queued_until IS NULL OR ${table}.queued_until <= app_now())
   AND (${table}.sending_until IS NULL OR ${table}.sending_until <= app_now())`;
