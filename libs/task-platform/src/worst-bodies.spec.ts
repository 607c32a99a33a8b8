import { AppError, jsonLimits, scanJson, wantedTexts } from '@eas/core';
import { leastHoldMs, maxHoldMs, worstPlatformBodies, worstPullRequests } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { readPlatformEvent } from './changes/platform-event.ts';
import { findSigner, parseInboundJson, signingKey } from '@eas/receiving';

const wanted = wantedTexts('webhook_id', 'organization.login', 'repository.owner.login');
const candidates = Array.from({ length: 5 }, (_, n) => ({ key: signingKey(`secret ${n}`) }));
const wrong = Buffer.alloc(32);

/** All that is done with a body before it is stored. */
async function take(raw: Buffer): Promise<void> {
  const scan = scanJson(raw, jsonLimits, wanted);
  await findSigner(candidates, raw, wrong);
  try {
    readPlatformEvent(parseInboundJson(raw, scan).body);
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
  }
}

describe('the worst bodies', () => {
  it.each([...worstPlatformBodies(), ...worstPullRequests()].map(({ name, make }) => [name, make] as const))(
    'hold the event loop no longer than others may wait: %s',
    async (_name, make) => {
      const raw = make();
      expect(await leastHoldMs(() => take(raw))).toBeLessThanOrEqual(maxHoldMs);
    },
  );
});
