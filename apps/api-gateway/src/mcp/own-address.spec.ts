import { describe, expect, it } from '@jest/globals';
import { requireOwnAddress } from './own-address.ts';

const address = { baseUrl: 'https://api.example.com', corsOrigins: ['https://tools.example.org'] };

describe('a request of the protocol', () => {
  it.each([
    { host: 'api.example.com' },
    { host: 'api.example.com:443', origin: 'https://api.example.com' },
    { host: 'api.example.com', origin: 'https://tools.example.org' },
    { host: '127.0.0.1:3000' },
    { host: '[::1]:3000' },
    { host: 'localhost:3000' },
    { host: '10.0.3.7' },
  ])('may come from %j', (headers) => {
    expect(() => requireOwnAddress(headers, address)).not.toThrow();
  });

  it.each([
    { host: 'api.example.com', origin: 'https://evil.example' },
    { host: 'api.example.com', origin: 'http://api.example.com' },
    { host: 'api.example.com', origin: 'null' },
    { host: 'evil.example:3000', origin: 'http://evil.example:3000' },
    { host: 'evil.example' },
    { host: 'api.example.com.evil.example' },
    { host: 'api.example.com@evil.example' },
    { host: '' },
    {},
  ])('is forbidden from %j', (headers) => {
    expect(() => requireOwnAddress(headers, address)).toThrow(expect.objectContaining({ code: 'forbidden' }));
  });
});
