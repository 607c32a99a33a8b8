import { describe, expect, it } from '@jest/globals';
import { isLoopback } from './loopback.ts';

describe('a loopback host', () => {
  it.each([
    ...['localhost', 'LOCALHOST', 'localhost.', 'app.localhost', '127.0.0.1', '127.0.0.2', '127.255.255.254'],
    ...['::1', '[::1]', '::ffff:127.0.0.1', '[::ffff:7f00:1]', new URL('http://0x7f.1').hostname],
  ])('is %s', (host) => expect(isLoopback(host)).toBe(true));

  it.each([
    ...['', 'example.com', 'localhost.example.com', 'not-localhost', '127.0.0.1.example.com', '128.0.0.1', '10.0.0.1'],
    ...['0.0.0.0', '::', '[::2]', '::ffff:10.0.0.1', '[::ffff:a00:1]', '::127.0.0.1'],
  ])('is not %s', (host) => expect(isLoopback(host)).toBe(false));
});
