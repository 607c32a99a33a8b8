import { isDeepStrictEqual } from 'node:util';
import { type ChangeWebhookBody, type Scope, scopesToRead, scopesToReadMore } from '@eas/contracts';
import { assertVersion, type Violation } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { type EndpointChange, noEndpoint, shown, type StoredEndpoint } from './endpoint.ts';
import {
  type EndpointHeaders,
  mergeHeaders,
  openHeaders,
  type Sealing,
  sealHeaders,
  violationsOfHeaders,
} from './endpoint-headers.ts';
import { assertMayRead, type EndpointRules, refuse, violationsOfUrl } from './endpoint-rules.ts';
import { maskedUrl } from './masked-url.ts';
import { lockEndpoint, updateEndpoint } from './endpoint.store.ts';

/** A merge patch of one endpoint; see assertVersion for `ifMatch`. */
export type EndpointPatch = {
  id: string;
  ifMatch: readonly number[] | undefined;
  body: ChangeWebhookBody;
  scopes: readonly Scope[];
};

/**
 * Changes an endpoint. Throws not_found, 412, invalid_input for what is not taken, forbidden for events that the caller
 * may not read: those that it gains, or all of them when they go to another address.
 */
export async function changeEndpoint(
  ctx: UseCaseContext,
  { id, ifMatch, body: asked, scopes }: EndpointPatch,
  rules: Pick<EndpointRules, 'vetUrl'>,
): Promise<EndpointChange> {
  const { secrets, tenantId } = ctx;
  const sealing = { secrets, tenantId };
  if (asked.url !== undefined) refuse(violationsOfUrl(asked.url, rules));
  return ctx.inTransaction(async (tx) => {
    const before = await lockEndpoint(tx, id);
    if (!before) throw noEndpoint();
    const body = withOwnUrl(asked, before);
    const headers = patchedHeaders(sealing, before, body);
    refuse([...missingHeaders(before, body), ...(headers ? violationsOfHeaders(headers) : [])]);
    assertVersion(before.version, ifMatch);
    const after = applied(before, body);
    if (after.url !== before.url) assertMayRead(scopesToRead(after.events), scopes, 'url');
    assertMayRead(scopesToReadMore(before.events, after.events), scopes, 'events');
    const replaced = headers && { headers: sealHeaders(sealing, id, headers), headerNames: Object.keys(headers) };
    if (!replaced && isDeepStrictEqual(after, before)) return { ...shown(before), isChanged: false };
    return { ...shown(await updateEndpoint(tx, { ...after, ...replaced }, ctx.clock.now())), isChanged: true };
  });
}

/** A client that sends back what a list showed does not change the address to that. */
function withOwnUrl(body: ChangeWebhookBody, { url }: StoredEndpoint): ChangeWebhookBody {
  return body.url === maskedUrl(url) ? { ...body, url } : body;
}

function applied(before: StoredEndpoint, body: ChangeWebhookBody): StoredEndpoint {
  const { url = before.url, events = before.events, description = before.description } = body;
  const { ordering = before.ordering, max_per_second: maxPerSecond = before.maxPerSecond } = body;
  return { ...before, url, events: [...new Set(events)], description, ordering: ordering ?? 'none', maxPerSecond };
}

/** Undefined: they stay as they are. */
function patchedHeaders(
  sealing: Sealing,
  before: StoredEndpoint,
  { url, headers: patch }: ChangeWebhookBody,
): EndpointHeaders | undefined {
  if (patch === undefined) return undefined;
  if (patch === null) return before.headers === null ? undefined : {};
  const isMoved = movesAway(before, url);
  const old = isMoved ? {} : openHeaders(sealing, before.id, before.headers);
  const merged = mergeHeaders(old, patch);
  return isMoved || !isDeepStrictEqual(merged, old) ? merged : undefined;
}

/** Their values are never returned, so they do not follow to a host that the person who changes the address may own. */
function missingHeaders(before: StoredEndpoint, { url, headers }: ChangeWebhookBody): Violation[] {
  if (before.headers === null || headers !== undefined || !movesAway(before, url)) return [];
  const message = 'must be sent again, or be null, because url has another host';
  return [{ field: 'headers', constraint: 'required', message }];
}

const movesAway = (before: StoredEndpoint, url: string | undefined): boolean =>
  url !== undefined && URL.parse(url)?.origin !== URL.parse(before.url)?.origin;
