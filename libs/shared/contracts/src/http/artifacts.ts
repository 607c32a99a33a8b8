import { z } from 'zod';
import { freeForm } from './fields.ts';

export const artifactKinds = ['pull_request', 'commit', 'branch', 'file', 'test_report', 'link'] as const;

/** What an agent made, as it tells of it. */
export const artifact = z.strictObject({
  kind: z.enum(artifactKinds).describe('What was made.'),
  title: z.string().max(500).optional(),
  url: z.string().max(2_048).optional(),
  sha: z.string().max(128).optional(),
  data: freeForm().optional(),
});
