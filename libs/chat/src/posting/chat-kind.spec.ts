import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { chatKind } from './chat-kind.ts';

it('posts as many messages at a time as the documentation says', () => {
  const page = resolve(import.meta.dirname, '../../../../docs/services/webhook-dispatcher.md');
  const { slots, ofTenant, ofGroup } = chatKind({} as Parameters<typeof chatKind>[0]).limits;
  expect(readFileSync(page, 'utf8').replaceAll(/\s+/g, ' ')).toContain(
    `at most ${slots} messages at a time, of one tenant ${ofTenant} and of one integration ${ofGroup}`,
  );
});
