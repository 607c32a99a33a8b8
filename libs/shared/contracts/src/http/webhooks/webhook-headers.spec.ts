import { describe, expect, it } from '@jest/globals';
import { webhookHeaders, webhookHeadersPatch } from './webhook-headers.ts';

const reserved = [
  'accept-encoding connection content-length content-type content-encoding expect host keep-alive proxy-authorization',
  'proxy-connection te trailer transfer-encoding upgrade user-agent webhook-id webhook-signature webhook-timestamp',
  'x-service-signature',
].flatMap((names) => names.split(' '));

const pathsOf = (headers: Record<string, string>) =>
  webhookHeaders.safeParse(headers).error?.issues.map(({ path }) => path.join('.'));

describe('headers of a webhook', () => {
  it.each(reserved)('%s is reserved, in any case', (name) => {
    for (const written of [name, name.toUpperCase()]) {
      expect(pathsOf({ [written]: 'a' })).toEqual([written]);
      expect(webhookHeadersPatch.safeParse({ [written]: null }).success).toBe(false);
    }
  });

  it.each(['Authorization', 'Cookie', 'X-Api-Key', 'x_team', "!#$%&'*+.^_`|~9"])('%s is free', (name) => {
    expect(pathsOf({ [name]: 'Basic YTpi, "x" = 1' })).toBeUndefined();
  });

  it.each(['', ' a', 'a ', '\t', 'a\tb', 'a\nb', 'a\0', 'é', '💩', 'a'.repeat(1_025)])(
    'the value %j is refused',
    (value) => {
      expect(pathsOf({ 'X-Team': value })).toContain('X-Team');
    },
  );

  it.each(['', 'a b', 'a:b', 'a/b', 'é', '(a)', 'a'.repeat(129)])('the name %j is refused', (name) => {
    expect(pathsOf({ [name]: 'a' })).toContain(name);
  });
});
