import { AppError } from '@eas/core';

export const noIntegration = () => new AppError('not_found', { message: 'The integration does not exist.' });

export const webhookExists = () =>
  new AppError('conflict', {
    field: 'webhook_id',
    constraint: 'exists',
    message: 'webhook_id is already used by another integration of this type.',
  });
