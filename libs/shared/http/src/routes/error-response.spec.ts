import { AppError } from '@eas/core';
import { Unavailable } from '@eas/db';
import { describe, expect, it } from '@jest/globals';
import { respondToError } from './error-response.ts';

describe('the response to what was thrown', () => {
  const respond = (error: unknown) => respondToError(error, 'rest', 'req_1');
  const later = { 'Retry-After': '1' };

  it.each([
    ['statement that took too long', '57014'],
    ['statement that waited too long for a lock', '55P03'],
  ])('is 503 and says when to come again for a %s', (_, code) => {
    expect(respond(Object.assign(new Error('no'), { code }))).toMatchObject({
      status: 503,
      headers: later,
      body: { error: { code: 'server_error', message: 'The service is temporarily unavailable. Try again later.' } },
    });
  });

  it('is 503 with its own message if the database was not used at all', () => {
    const message = 'A table of the database is locked. Try again later.';
    const expected = { status: 503, headers: later, body: { error: { code: 'server_error', message } } };
    expect(respond(new Unavailable(message))).toMatchObject(expected);
  });

  it('is an error of RFC 6749 for a client of OAuth', () => {
    const refused = new AppError('invalid_input', { message: 'redirect_uris is required.' });
    expect(respondToError(refused, 'oauth', 'req_1')).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', error_description: 'redirect_uris is required.' },
    });
    expect(respondToError(new Unavailable('Later.'), 'oauth', 'req_1').body).toMatchObject({
      error: 'temporarily_unavailable',
    });
  });

  it('contains only texts for clients', () => {
    expect(JSON.stringify(respond(new Error('password of the database')))).not.toContain('password');
    expect(respond(new AppError('conflict', { message: 'It is done.' }))).toMatchObject({
      status: 409,
      body: { error: { message: 'It is done.' } },
    });
  });
});
