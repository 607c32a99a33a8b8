import { describe, expect, it } from '@jest/globals';
import { maskedUrl } from './masked-url.ts';

describe('the address of a receiver as others read it', () => {
  it.each([
    ['https://example.com/hook', 'https://example.com/hook'],
    ['https://example.com/hook?token=abc&env=prod', 'https://example.com/hook?token=***&env=***'],
    ['https://example.com/hook?abc', 'https://example.com/hook?***'],
    ['https://example.com/?a=b?c=d&', 'https://example.com/?a=***&***'],
    ['https://example.com/hook?', 'https://example.com/hook?***'],
  ])('%s is %s', (url, masked) => expect(maskedUrl(url)).toBe(masked));
});
