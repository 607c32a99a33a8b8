import { firstRowsSql, type Tx } from '@eas/db';
import { lockReceipts, receiveAgain } from '@eas/receiving';

/** What becomes of checks of a commit that no known pull request has. An index has those with this very outcome. */
export const noPullRequest = 'no_pull_request: no known pull request has this commit';

/** Checks that finished before their pull request was opened are looked for that long. */
const keptDays = 7;
/** Of one commit. */
const maxChecks = 100;

/** What checks are about, as their receipts have it. */
export type CheckedCommit = { integrationRef: string; externalId: string };

const earlySql = `
  SELECT early.id FROM unnest($2::text[], $3::text[]) AS s (ref, external_id)
  ${firstRowsSql('early', {
    select: 'id',
    from: 'inbound_events i',
    where: `tenant_id = $1 AND integration_ref = s.ref AND i.external_id = s.external_id
      AND status = 'ignored' AND outcome = '${noPullRequest}' AND settled_at > app_now() - interval '${keptDays} days'`,
    orderBy: 'id',
    limit: maxChecks,
  })}`;

/** Receives checks again that came before any pull request had their commit, which one has now. */
export async function receiveEarlyChecks(tx: Tx, commits: readonly CheckedCommit[], at: Date): Promise<void> {
  const columns = [commits.map((one) => one.integrationRef), commits.map((one) => one.externalId)];
  const early = await tx.db.query<{ id: string }>(earlySql, [tx.tenantId, ...columns]);
  if (early.length === 0) return;
  const ids = [...new Set(early.map(({ id }) => id))];
  const receipts = await lockReceipts(tx, ids);
  await receiveAgain(
    tx,
    receipts.filter(({ status, hasBody }) => status === 'ignored' && hasBody),
    at,
  );
}
