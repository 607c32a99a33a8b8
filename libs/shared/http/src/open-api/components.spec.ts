import { describe, expect, it } from '@jest/globals';
import { Components } from './components.ts';

describe('components of the document', () => {
  it.each(['limit', 'LIMIT', 'li_mit', 'Li-mit'])('are not named %s where one is named Limit', (name) => {
    const components = new Components();
    components.add('parameters', 'Limit', { in: 'query' });
    expect(components.tryAdd('parameters', name, { in: 'path' })).toBeUndefined();
    expect(() => components.add('parameters', name, { in: 'path' })).toThrow(
      `two parameters are named ${name}, or differ in case and separators alone`,
    );
    expect(components.tryAdd('headers', name, { in: 'path' })).toEqual({ $ref: `#/components/headers/${name}` });
  });
});
