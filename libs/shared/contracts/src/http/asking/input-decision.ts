import { z } from 'zod';

/** The decisions about each kind of input that asks for one. */
export const decisionsOf = {
  approval: ['approve', 'reject'],
  permission: ['allow_once', 'allow_always', 'reject'],
} as const;
export const inputDecisions = ['approve', 'reject', 'allow_once', 'allow_always'] as const;
export const inputDecision = z
  .enum(inputDecisions)
  .describe(
    'The decision: approve or reject about an approval; allow_once, allow_always (for this task) or reject about a permission. New values can be added.',
  );
