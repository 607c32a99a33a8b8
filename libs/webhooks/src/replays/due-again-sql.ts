/**
 * Sets delivery `d` due at once, or held while its endpoint `p` is paused. Its schedule begins from the start; the
 * numbers of its attempts go on.
 */
export const dueAgainSql = `
  status = CASE WHEN p.status = 'paused' THEN 'held' ELSE 'pending' END,
  next_attempt_at = CASE WHEN p.status <> 'paused' THEN app_now() END,
  reason = NULL, tries_from = d.attempts, queued_until = NULL, sending_until = NULL, settled_at = NULL`;

/** Not claimed by a worker: its record would conflict with the new schedule. */
export const notSendingSql = '(d.sending_until IS NULL OR d.sending_until <= app_now())';

/**
 * The event of a delivery is stored, and of one of the types if they are not null. Looked up for each delivery: a join
 * would be planned by the sizes of the tables.
 */
export const hasEventSql = (delivery: string, types: string) => `(
  SELECT ${types}::text[] IS NULL OR e.event_type = ANY (${types}::text[]) FROM events e
  WHERE e.tenant_id = $1 AND e.event_id = ${delivery}.event_id LIMIT 1)`;
