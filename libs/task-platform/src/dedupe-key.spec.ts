import type { PlatformEvent } from '@eas/contracts';
import { describe, expect, it } from '@jest/globals';
import { sampleBody } from '../test/samples.ts';
import { platformDedupeKey } from './dedupe-key.ts';

function keyOf(name: string, change: object = {}): string | null {
  const text = sampleBody(name).toString();
  return platformDedupeKey({ ...(JSON.parse(text) as PlatformEvent), ...change }, text);
}

describe('platformDedupeKey', () => {
  it('is the same for a repeat and differs between events, webhooks and changes', () => {
    expect(keyOf('taskCreated')).toBe(keyOf('taskCreated'));
    const keys = ['taskCreated', 'taskStatusUpdated', 'taskUpdated.status', 'taskUpdated.tag'].map((name) =>
      keyOf(name),
    );
    expect(new Set([...keys, keyOf('taskCreated', { webhook_id: 'other' })]).size).toBe(5);
  });

  it('differs between a comment and its edit, which has the same id', () => {
    expect(keyOf('taskUpdated.comment')).not.toBe(keyOf('taskUpdated.comment-edited'));
  });

  it('is null without a history id: equal bodies may be two changes', () => {
    expect(keyOf('folderUpdated')).toBeNull();
    expect(keyOf('taskCreated', { history_items: [] })).toBeNull();
    expect(keyOf('taskCreated', { history_items: [{ field: 'name' }] })).toBeNull();
  });
});
