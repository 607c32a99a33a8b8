import { AppError } from '@eas/core';

/** Also for a run of another tenant. */
export function noSuchRun(): AppError {
  return new AppError('not_found', { message: 'The run does not exist.' });
}
