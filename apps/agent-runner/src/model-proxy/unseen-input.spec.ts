import { describe, expect, it } from '@jest/globals';
import { unseenTokens } from './unseen-input.ts';

const user = (content: unknown) => ({ model: 'm', messages: [{ role: 'user', content }] });

describe('input that a request does not hold', () => {
  it.each<[string, Record<string, unknown>]>([
    ['the response before', { previous_response_id: 'resp_1', input: 'Go on.' }],
    ['a conversation', { conversation: { id: 'conversation-1' }, input: 'Go on.' }],
    ['a file by its id', user([{ type: 'document', source: { type: 'file', file_id: 'file_1' } }])],
    ['a document by its address', user([{ type: 'document', source: { type: 'url', url: 'https://x/a.pdf' } }])],
    ['an image by its address', user([{ type: 'image_url', image_url: { url: 'https://x/a.png' } }])],
    ['an image of a response', { input: [{ content: [{ type: 'input_image', image_url: 'https://x/a.png' }] }] }],
    ['a file of Gemini', { contents: [{ parts: [{ file_data: { file_uri: 'gs://x' } }] }] }],
    ['cached content', { cachedContent: 'cachedContents/1', contents: [] }],
    ['a search of the provider', { ...user('Find it.'), tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
    ['a search of Gemini', { contents: [], tools: [{ googleSearch: {} }] }],
  ])('is reserved as a whole context: %s', (_, body) => expect(unseenTokens(body)).toBe(200_000));

  it.each<[string, Record<string, unknown>]>([
    ['texts', user('See https://example.com and file_id.')],
    ['an image in the body', user([{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } }])],
    [
      'the address that a tool of the agent got',
      user([{ type: 'tool_use', input: { url: 'https://x', file_id: '1' } }]),
    ],
    ['the schema of a tool of the agent', { tools: [{ name: 't', input_schema: { properties: { file_id: {} } } }] }],
    ['a search without the web', { input: 'x', tools: [{ type: 'web_search', external_web_access: false }] }],
    [
      'functions',
      { tools: [{ type: 'function', name: 'web_search' }, { functionDeclarations: [{ name: 'file_id' }] }] },
    ],
    ['nothing', { previous_response_id: null, cachedContent: null }],
  ])('is none: %s', (_, body) => expect(unseenTokens(body)).toBe(0));
});
