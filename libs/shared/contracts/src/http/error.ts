import { z } from 'zod';
import { constraintWords, errorCodes } from '../error-codes.ts';
import { directiveList } from './directives.ts';

const codes = z
  .enum(Object.keys(errorCodes) as [keyof typeof errorCodes, ...(keyof typeof errorCodes)[]])
  .describe('What went wrong; the status follows from it.');
const constraints = z
  .enum(Object.keys(constraintWords) as [keyof typeof constraintWords])
  .describe('The rule that is broken.');

/** A broken constraint as clients see it; `field` is a dotted path, empty for the whole body. */
export const violationSchema = z.object({ field: z.string().max(500), constraint: constraints });

/** Error body of the REST API. `details` is the first violation, `{}` where none applies. */
export const errorResponse = z
  .object({
    error: z.object({
      code: codes,
      message: z.string().max(2_000),
      details: violationSchema.partial(),
      request_id: z.string().max(64),
      errors: z.array(violationSchema).max(1_000).optional(),
      directives: directiveList
        .optional()
        .meta({ description: 'With lease_lost: what the agent is told of its lease.' }),
    }),
  })
  .meta({ id: 'Error' });
export type ErrorResponse = z.infer<typeof errorResponse>;

/** Error body of the inbound receivers. */
export const receiverErrorResponse = z
  .object({
    error: z.object({ message: z.string().max(2_000), code: codes }),
  })
  .meta({ id: 'ReceiverError' });
export type ReceiverErrorResponse = z.infer<typeof receiverErrorResponse>;
