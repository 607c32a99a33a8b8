import { isDeepStrictEqual } from 'node:util';
import {
  type ChangeIntegrationBody,
  integrationFields,
  maxLabels,
  maxMappedPlaces,
  maxMappedUsers,
  maxStatusWords,
  type Scope,
  scopes,
} from '@eas/contracts';
import { AppError, assertVersion, type Violation } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { type Integration, shown, type ShownIntegration, splitPatch } from './integration.ts';
import { noIntegration, webhookExists } from './integration-errors.ts';
import { resumeChannels } from './chat-channel.store.ts';
import { sealerOf } from './integration-secret.ts';
import { isTokenRefused, resumeCalls } from './integration-health.store.ts';
import { assertMappedProjects } from './mapped-projects.ts';
import { assertMayPost } from './may-post.ts';
import { lockStored, updateIntegration } from './integration.store.ts';
import { assertWebhookUrl, type VetUrl } from './url-rules.ts';

/**
 * A merge patch of one integration; see assertVersion for `ifMatch`. `callerScopes`: left out, all of them. `vetUrl`:
 * left out, any webhook_url.
 */
export type IntegrationChange = {
  id: string;
  ifMatch: readonly number[] | undefined;
  body: ChangeIntegrationBody;
  callerScopes?: readonly Scope[];
  vetUrl?: VetUrl;
};

/** Throws not_found, forbidden for events that the caller may not read, invalid_input for what its type does not have, 412, conflict for a webhook id that is taken. */
export async function changeIntegration(
  ctx: UseCaseContext,
  { id, ifMatch, body, callerScopes = scopes, vetUrl }: IntegrationChange,
): Promise<ShownIntegration> {
  const seal = sealerOf(ctx, id);
  return ctx.inTransaction(async (tx) => {
    // Before the integration: calls are settled under both locks in this order.
    if (body.token !== undefined) await resumeCalls(tx, id, body.token);
    const before = await lockStored(tx, id);
    if (!before) throw noIntegration();
    const { config, secrets } = splitPatch(before.config, body);
    refuse([...violationsOf(before, body), ...tooManyWords(config)]);
    assertWebhookUrl(body.webhook_url, vetUrl);
    assertVersion(before.version, ifMatch);
    await assertMappedProjects(tx, body.project_map);
    if (isChatChanged(before, body)) assertMayPost(config.events ?? [], callerScopes);
    const { secret, token, signingSecret } = {
      secret: secrets.secret === undefined ? before.secret : seal('secret', secrets.secret),
      token: secrets.token === undefined ? before.token : seal('token', secrets.token),
      signingSecret:
        secrets.signingSecret === undefined ? before.signingSecret : seal('signing_secret', secrets.signingSecret),
    };
    const isRetried = token !== before.token && isTokenRefused(before.statusReason);
    const isTriedAgain = isAlarmChanged(before, config) || isChatChanged(before, body) || isRetried;
    const { status = isTriedAgain && before.status === 'degraded' ? 'active' : before.status } = body;
    const statusReason = status === before.status ? before.statusReason : null;
    // A secret that is replaced is not trusted any more, nor is the one before it.
    const kept = secret === before.secret ? {} : { previousSecret: null, previousSecretUntil: null };
    const after = { ...before, config, status, statusReason, secret, token, signingSecret, ...kept };
    if (isDeepStrictEqual(after, before)) return shown(before);
    const version = await updateIntegration(tx, after, ctx.clock.now());
    if (version === undefined) throw webhookExists();
    if (after.type === 'slack' && status === 'active') await resumeChannels(tx, id);
    return shown({ ...after, version });
  });
}

/** An alarm that goes off at another time is judged again. */
const isAlarmChanged = ({ statusReason, config: before }: Integration, config: Integration['config']): boolean =>
  statusReason === 'silent' && before.silence_alarm_hours !== config.silence_alarm_hours;

/** What is posted, or where: what the chat refused may work now, and other people may read it. */
const isChatChanged = ({ type }: Integration, { webhook_url: url, token, channels, events }: ChangeIntegrationBody) =>
  type === 'slack' && [url, token, channels, events].some((field) => field !== undefined);

/** What the integration's type or state does not allow; the schema has seen to the rest. */
function violationsOf({ type, status }: Integration, body: ChangeIntegrationBody): Violation[] {
  const fields = integrationFields(type);
  const unknown = Object.keys(body).filter((field) => !fields.includes(field));
  const violations = unknown.map((field): Violation => ({
    field,
    constraint: 'unknown_field',
    message: `is not a field of the type ${type}`,
  }));
  if (body.status === 'degraded' && status !== 'degraded')
    violations.unshift({
      field: 'status',
      constraint: 'enum',
      message: 'must not be degraded: only the service sets this state',
    });
  if (body.type !== undefined && body.type !== type)
    return [{ field: 'type', constraint: 'enum', message: `must be ${type}, and cannot change` }];
  return violations;
}

function tooManyWords({ status_map: words = {}, labels = {}, ...maps }: Integration['config']) {
  return [
    ...tooMany('status_map', words, maxStatusWords, 'words'),
    ...tooMany('assignee_map', maps.assignee_map ?? {}, maxMappedUsers, 'users'),
    ...tooMany('project_map', maps.project_map ?? {}, maxMappedPlaces, 'lists, folders and spaces'),
    ...tooMany('labels', labels, maxLabels, 'labels'),
  ];
}

function tooMany(field: string, map: object, max: number, what: string): Violation[] {
  if (Object.keys(map).length <= max) return [];
  return [{ field, constraint: 'max_length', message: `must have at most ${max} ${what}` }];
}

function refuse(violations: Violation[]): void {
  if (violations.length > 0) throw new AppError('invalid_input', { violations });
}
