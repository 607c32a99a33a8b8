import { createReconcileBody } from '@eas/contracts';
import { AppError, StartError } from '@eas/core';
import { createReconcile } from '@eas/task-platform';
import { say } from '../../terminal.ts';
import { defineCommand, jsonOption, tenantOption } from '../command.ts';
import { inTenant } from '../in-system.ts';

const options = {
  tenant: tenantOption,
  since: { type: 'string', about: 'time, such as 2026-11-20T12:00:00Z: tasks that the platform changed after it' },
  until: { type: 'string', about: 'time: and before it' },
  json: jsonOption,
} as const;

export const reconcileCommand = defineCommand({
  usage: '<integration id> --since time [--until time] [--tenant slug]',
  about:
    'compares what a task platform changed with the tasks here, as POST /v1/integrations/{integration_id}/reconcile does',
  options,
  maxWords: 1,
  async run({ values, words }, config) {
    const [integrationId] = words;
    if (!integrationId) throw new StartError('The id of an integration is required. Pass it as the first argument.');
    if (values.since === undefined) throw new StartError('--since is required.');
    const body = createReconcileBody.parse({ since: values.since, until: values.until });
    const started = await inTenant(config, values.tenant, (ctx) =>
      createReconcile(ctx, { integrationId, body }).catch((error: unknown) => {
        if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
        throw new StartError(`Unknown integration: ${integrationId}.`);
      }),
    );
    say(values.json ? JSON.stringify(started, null, 2) : `reconciliation ${started.id} ${started.status}`);
  },
});
