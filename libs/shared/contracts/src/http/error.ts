import { z } from 'zod';
import { constraintWords, errorCodes } from '../error-codes.ts';
import { idOf } from '../fields.ts';
import { directiveList } from './directives.ts';

const codes = z
  .enum(Object.keys(errorCodes) as [keyof typeof errorCodes, ...(keyof typeof errorCodes)[]])
  .meta({ id: 'ErrorCode', description: 'What went wrong. The status follows from the code. New codes can be added.' });
const constraints = z
  .enum(Object.keys(constraintWords) as [keyof typeof constraintWords])
  .meta({ id: 'Constraint', description: 'The rule that is broken. New values can be added.' });
const message = z.string().max(2_000).describe('What went wrong, for people. The text can change.');
const field = z
  .string()
  .max(500)
  .describe('Path of the field, with dots: `steps.0.task.title`. Empty for the whole body.');

/** A broken constraint as clients see it; `field` is a dotted path, empty for the whole body. */
const violationSchema = z
  .object({ field, constraint: constraints })
  .meta({ id: 'Violation', description: 'A field, and the rule that it breaks.' });

/** Error body of the REST API. `details` is the first violation, `{}` if there is none. */
export const errorResponse = z
  .object({
    error: z
      .object({
        code: codes,
        message,
        details: violationSchema
          .partial()
          .meta({ id: 'ErrorDetails', description: 'The first violation; empty if the error is not about a field.' }),
        request_id: z.string().max(64).describe('ID of the request, as in the header `X-Request-Id`.'),
        errors: z.array(violationSchema).max(1_000).optional().describe('All violations.'),
        directives: directiveList
          .optional()
          .meta({ description: 'With the constraint lease_lost: the directives of the lost lease.' }),
        leases: z
          .array(
            z
              .object({ lease_id: idOf('ID of the lease.'), task_id: idOf('ID of its task.') })
              .meta({ id: 'TakenSlot', description: 'A lease that takes one of the tasks that an agent may hold.' }),
          )
          .max(100)
          .optional()
          .describe('With the constraint limit of a claim: the leases that the agent works under.'),
      })
      .meta({ id: 'ErrorBody', description: 'What went wrong.' }),
  })
  .meta({ id: 'Error', description: 'The body of every error response.' });
export type ErrorResponse = z.infer<typeof errorResponse>;

export const receiverErrorResponse = z
  .object({
    error: z.object({ message, code: codes }).meta({ id: 'ReceiverErrorBody', description: 'What went wrong.' }),
  })
  .meta({ id: 'ReceiverError', description: 'The body of every error response of a receiver.' });
