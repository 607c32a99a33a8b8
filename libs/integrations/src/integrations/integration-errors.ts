import { AppError } from '@eas/core';

export const noIntegration = () => new AppError('not_found', { message: 'There is no such integration.' });

export const webhookExists = () =>
  new AppError('conflict', {
    field: 'webhook_id',
    constraint: 'exists',
    message: 'an integration of this type with this webhook_id exists already',
  });
