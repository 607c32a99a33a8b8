import type { Counts } from '../../npm-test/test-plan.ts';
import { runClientProgram } from '../client-program.ts';
import { findChromium } from '@eas/testing/programs';
import { missing, type Suite, type Target } from '../suite.ts';

async function inChromium(file: string, target: Target): Promise<Counts> {
  const chromium = findChromium();
  if (!chromium) return missing('chromium');
  return runClientProgram(file, { ...target, env: { ...target.env, CONTRACT_CHROMIUM: chromium } });
}

export const oauth: Suite = {
  name: 'oauth',
  what: 'a strict OAuth client gets, uses, rotates and gives back tokens',
  run: (target) => inChromium('oauth.test.ts', target),
};

export const pages: Suite = {
  name: 'pages',
  what: 'pages and documentation work in a browser, without a complaint of its console',
  run: (target) => inChromium('pages.test.ts', target),
};
