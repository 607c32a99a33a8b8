import { AppError } from '@eas/core';

const unauthorized = (message: string, challenge: string) =>
  new AppError('unauthorized', { message, headers: { 'WWW-Authenticate': challenge } });

const either = 'ApiKey realm="api", Bearer realm="api"';

export const noCredential = () =>
  unauthorized('Authentication is required. Send the header X-API-Key or a bearer token.', either);
export const refuseKey = () => unauthorized('The API key is not valid.', either);
export const refuseToken = () =>
  unauthorized('The bearer token is not valid.', 'Bearer realm="api", error="invalid_token"');
export const refuseSession = () => unauthorized('The session has ended. Sign in again.', either);
/** It does not reveal which of the two is wrong. */
export const refuseSignIn = () => unauthorized('The e-mail address or the password is wrong.', either);
