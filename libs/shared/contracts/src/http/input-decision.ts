import { z } from 'zod';

export const inputDecisions = ['approve', 'reject'] as const;
/** What a person decides when an agent asks for an approval. */
export const inputDecision = z.enum(inputDecisions).describe('The decision about an approval.');
