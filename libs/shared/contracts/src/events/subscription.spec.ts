import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { scopes } from '../principal.ts';
import { subscribableEventTypes } from './catalogue.ts';
import { scopesToRead, subscriptionsOf, typesOf, typesToRead } from './subscription.ts';

describe('subscriptions', () => {
  it.each(subscribableEventTypes)('%s is matched by its name and by *', (type) => {
    expect(typesOf(type)).toEqual([type]);
    expect(typesOf('*')).toContain(type);
  });

  it('match a family with prefix.* and nothing else', () => {
    expect(typesOf('pr.*')).toEqual(['pr.opened', 'pr.updated', 'pr.merged', 'pr.closed', 'pr.reviewed', 'pr.checks']);
    expect(subscriptionsOf('task.created')).toEqual(['task.created', 'task.*', '*']);
  });

  it.each([
    '',
    'task',
    'task.',
    'task*',
    'task.create',
    'tasks.*',
    '*.created',
    '**',
    'ping.*',
    'task.created.*',
    'TASK.*',
  ])('knows no type for "%s"', (text) => {
    expect(typesOf(text)).toEqual([]);
  });

  it('match no type for any other text', () => {
    const known = new Set(subscribableEventTypes.flatMap(subscriptionsOf));
    fc.assert(fc.property(fc.string(), (text) => known.has(text) || typesOf(text).length === 0));
  });

  it('returns the scopes that reading requires', () => {
    expect(scopesToRead(['task.created', 'task.*'])).toEqual(['tasks:read']);
    expect(scopesToRead(['pr.opened', 'ping'])).toEqual(['integrations:read', 'webhooks:read']);
    expect(scopesToRead(['*'])).toHaveLength(5);
  });

  it('returns the types that scopes allow: all with every scope, none without, otherwise those of the scopes', () => {
    expect(typesToRead(scopes)).toEqual(subscribableEventTypes);
    expect(typesToRead([])).toEqual([]);
    fc.assert(
      fc.property(fc.subarray([...scopes]), (own) => {
        for (const type of subscribableEventTypes) {
          const isReadable = scopesToRead([type]).every((scope) => own.includes(scope));
          expect(typesToRead(own).includes(type)).toBe(isReadable);
        }
      }),
    );
  });
});
