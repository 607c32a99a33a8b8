import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { atATime } from './chat-poster.ts';

it('posts as many messages at a time as the documentation says', () => {
  const page = resolve(import.meta.dirname, '../../../../docs/services/webhook-dispatcher.md');
  const { posts, ofTenant, ofIntegration } = atATime;
  expect(readFileSync(page, 'utf8').replaceAll(/\s+/g, ' ')).toContain(
    `at most ${posts} messages at a time, of one tenant ${ofTenant} and of one integration ${ofIntegration}`,
  );
});
