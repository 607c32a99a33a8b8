import type { DbScope } from '@eas/db';

/** What is shown of where a delivery goes. */
export type Receiver = { url: string; headerNames: string[] };

const receiverSql = 'SELECT url, header_names AS "headerNames" FROM endpoints WHERE tenant_id = $1 AND id = $2';

/** Also of an endpoint that was deleted: its deliveries are still shown. */
export async function findReceiver({ db, tenantId }: DbScope, endpointId: string): Promise<Receiver | undefined> {
  const [receiver] = await db.query<Receiver>(receiverSql, [tenantId, endpointId]);
  return receiver;
}
