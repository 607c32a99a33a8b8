import type { CreateIntegrationBody, IntegrationView } from '@eas/contracts';
import { AppError, newId } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { type Integration, splitBody, toView } from './integration.ts';
import { insertIntegration } from './integration.store.ts';

/** Connects a third-party system. Its secrets are sealed and never come out again. */
export async function createIntegration(ctx: UseCaseContext, body: CreateIntegrationBody): Promise<IntegrationView> {
  const { config, secret, token } = splitBody(body);
  const id = newId('integration');
  const seal = (column: string, plain: string | null) =>
    plain === null
      ? null
      : ctx.secrets.seal(plain, { tenantId: ctx.tenantId, table: 'integrations', column, rowId: id });
  const integration: Integration = {
    id,
    type: body.type,
    status: 'active',
    statusReason: null,
    config,
    connectedAt: ctx.clock.now(),
  };
  const row = { ...integration, secret: seal('secret', secret), token: seal('token', token) };
  if (!(await insertIntegration(ctx, row))) {
    throw new AppError('conflict', {
      field: 'webhook_id',
      constraint: 'exists',
      message: 'an integration of this type with this webhook_id exists already',
    });
  }
  if (secret !== null && secret.length < 16)
    ctx.logger.warn({ integrationId: id }, 'the secret of an integration is short');
  return toView(integration);
}
