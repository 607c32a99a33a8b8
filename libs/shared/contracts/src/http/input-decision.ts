import { z } from 'zod';

export const inputDecisions = ['approve', 'reject'] as const;
export const inputDecision = z.enum(inputDecisions).describe('The decision about an approval.');
