import { z } from 'zod';
import { timestampOutput } from '../fields.ts';

/** What every kind of replay shows of its own history. */
export const replayHistory = {
  created_by: z.string().max(64).describe('Who created the replay.'),
  created_at: timestampOutput.describe('When the replay was created.'),
  updated_at: timestampOutput.describe('When the replay last made progress.'),
  finished_at: timestampOutput.nullable().describe('When the replay was completed or cancelled.'),
};
