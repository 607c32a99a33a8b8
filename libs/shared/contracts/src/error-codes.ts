import type { Constraint, ErrorCode } from '@eas/core';

/** HTTP status and meaning of every error code. An AppError may override the status. */
export const errorCodes: Record<ErrorCode, { status: number; meaning: string }> = {
  invalid_request: {
    status: 400,
    meaning: 'The request is malformed, or a path, header or query parameter is invalid.',
  },
  invalid_input: { status: 400, meaning: 'A field of the body is not valid.' },
  unauthorized: { status: 401, meaning: 'Authentication is required, or the credentials are invalid.' },
  forbidden: { status: 403, meaning: 'The caller does not have permission for this action.' },
  not_found: { status: 404, meaning: 'The resource does not exist.' },
  conflict: { status: 409, meaning: 'The request conflicts with the current state of the resource.' },
  rate_limited: { status: 429, meaning: 'Too many requests. Wait for the number of seconds in Retry-After.' },
  server_error: { status: 500, meaning: 'An unexpected error occurred on the server.' },
};

export const constraintWords: Record<Constraint, string> = {
  required: 'The value is missing, or a required string is empty or blank.',
  type: 'The value has the wrong type.',
  min_length: 'The string or array is too short.',
  max_length: 'The string or array is too long.',
  min: 'The number is too small.',
  max: 'The number is too large.',
  enum: 'The value is not one of the allowed values.',
  format: 'The string does not have the required format.',
  pattern: 'The string does not match the required pattern.',
  unknown_field: 'The field, parameter or header is not known here.',
  max_size: 'The value is too large when serialised.',
  state: 'The state of the resource does not allow the action.',
  version: 'The resource has changed since it was read.',
  lease_lost: 'The lease is no longer held with this fencing token.',
  idempotency_key_reuse: 'The idempotency key was already used with another request.',
  idempotency_in_flight: 'The first request with this idempotency key is still running.',
  contract: "The task's contract is not met.",
  limit: 'A limit is reached. A claim of an agent at its maximum names its leases in `error.leases`.',
  exists: 'The value or resource already exists.',
};
