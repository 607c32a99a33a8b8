import { maxInboundReplayTotal } from '@eas/contracts';
import type { DbScope, Tx } from '@eas/db';
import { type ReceiptFilter, selectReceipts } from '../inbound/receipt.read-model.ts';
import type { InboundReplay } from './inbound-replay.ts';

const visible = {
  id: true,
  status: true,
  filter: true,
  maxPerSecond: true,
  total: true,
  replayed: true,
  createdBy: true,
  createdAt: true,
  updatedAt: true,
  finishedAt: true,
} as const;

export async function findInboundReplay({ db, tenantId }: DbScope, id: string): Promise<InboundReplay | undefined> {
  const replay = await db.prisma.inboundReplay.findFirst({ where: { tenantId, id }, select: visible });
  return (replay ?? undefined) as InboundReplay | undefined;
}

/** The id of the tenant's running replay. */
export async function findRunning({ db, tenantId }: DbScope): Promise<string | undefined> {
  const running = await db.prisma.inboundReplay.findFirst({
    where: { tenantId, status: 'running' },
    select: { id: true },
  });
  return running?.id;
}

/** The number of receipts that match, up to the most that is counted. */
export async function countReceipts({ db, tenantId }: Tx, filter: ReceiptFilter): Promise<number> {
  const { range, matching } = selectReceipts(tenantId, filter, {});
  const [row] = await db.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM (
      SELECT FROM inbound_events WHERE ${range.sql} AND ${matching.sql} LIMIT ${maxInboundReplayTotal}
    ) AS matching`,
    matching.values,
    { isPrepared: false },
  );
  return row?.total ?? 0;
}
