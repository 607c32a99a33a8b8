import { describe, expect, it } from '@jest/globals';
import { type Document, forOgen, withoutWebhooks } from './document-copies.ts';

const ok = { 200: { description: 'Yes.', headers: { ETag: {} } } };
const document = {
  paths: { '/a': { get: { security: [{ apiKey: [] }, {}], responses: ok } } },
  webhooks: { ping: {} },
  components: { responses: { Gone: { headers: {} } }, securitySchemes: { apiKey: { type: 'apiKey' } } },
} as unknown as Document;

describe('the copy of a generator', () => {
  it('has no webhooks where those do not compile', () => {
    expect(withoutWebhooks.of(document)).toEqual({ paths: document.paths, components: document.components });
  });

  it('has other names of security schemes and no headers of responses for ogen', () => {
    expect(forOgen.of(document)).toEqual({
      paths: { '/a': { get: { security: [{ apiKeySecurity: [] }, {}], responses: { 200: { description: 'Yes.' } } } } },
      components: { responses: { Gone: {} }, securitySchemes: { apiKeySecurity: { type: 'apiKey' } } },
    });
    expect(document.paths['/a']?.['get']?.responses['200']?.headers).toBeDefined();
  });
});
