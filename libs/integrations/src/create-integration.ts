import { type CreateIntegrationBody, type Scope, scopes } from '@eas/contracts';
import { newId } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { type Integration, shown, type ShownIntegration, splitBody, untouched } from './integration.ts';
import { webhookExists } from './integration-errors.ts';
import { sealerOf } from './integration-secret.ts';
import { assertMappedProjects } from './mapped-projects.ts';
import { assertMayPost } from './may-post.ts';
import { insertIntegration } from './integration.store.ts';
import { assertWebhookUrl, type VetUrl } from './url-rules.ts';

/**
 * Connects a third-party system. Its secrets are sealed and never come out again. Throws forbidden for events that a
 * caller with these scopes may not read, invalid_input for a webhook_url that `vetUrl` refuses.
 */
export async function createIntegration(
  ctx: UseCaseContext,
  body: CreateIntegrationBody,
  callerScopes: readonly Scope[] = scopes,
  vetUrl?: VetUrl,
): Promise<ShownIntegration> {
  if (body.type === 'slack') {
    assertMayPost(body.events ?? [], callerScopes);
    assertWebhookUrl(body.webhook_url, vetUrl);
  }
  const { config, secrets } = splitBody(body);
  const id = newId('integration');
  const integration: Integration = {
    id,
    type: body.type,
    status: 'active',
    config,
    connectedAt: ctx.clock.now(),
    ...untouched,
  };
  const seal = sealerOf(ctx, id);
  const sealed = { secret: seal('secret', secrets.secret), previousSecret: null, token: seal('token', secrets.token) };
  const row = { ...integration, ...sealed, signingSecret: seal('signing_secret', secrets.signingSecret) };
  const isNew = await ctx.inTransaction(async (tx) => {
    await assertMappedProjects(tx, config.project_map);
    return insertIntegration(tx, row, ctx.limits.integrations);
  });
  if (!isNew) throw webhookExists();
  return shown(integration);
}
