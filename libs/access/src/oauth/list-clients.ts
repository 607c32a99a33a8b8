import type { ClientResource, Page, PageOfItems } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { clientResource, noClient } from './client.ts';
import { type ClientFilter, type ClientSortField, findClient, listClientPage } from './client.read-model.ts';

/** One client. Throws not_found. */
export async function getClient(ctx: UseCaseContext, id: string): Promise<{ body: ClientResource; version: number }> {
  const client = await findClient(ctx, id);
  if (!client) throw noClient();
  return { body: clientResource(client), version: client.version };
}

/** A page of clients. Throws invalid_request when `after` names none of the list. */
export async function listClients(
  ctx: UseCaseContext,
  filter: ClientFilter,
  page: Page<ClientSortField>,
): Promise<PageOfItems<ClientResource>> {
  const found = await listClientPage(ctx, filter, page);
  return { ...found, items: found.items.map(clientResource) };
}
