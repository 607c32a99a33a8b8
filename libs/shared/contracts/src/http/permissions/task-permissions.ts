import { z } from 'zod';
import { exampleId, exampleTime, idOf, timestampInput, timestampOutput } from '../../fields.ts';
import { examplePermission, toolKind, toolKinds } from '../asking/permission.ts';
import { listQuery, listResponse } from '../list.ts';

const taskPermission = z
  .object({
    id: idOf('ID of the permission.'),
    task_id: idOf('ID of the task.'),
    tool: toolKind,
    subject: z
      .string()
      .max(16_384)
      .describe(
        'What is allowed, exactly: the command; of tools without one, what the request said that they would do.',
      ),
    input_id: idOf('ID of the input whose answer allowed it.'),
    allowed_by: z.string().max(64).describe('ID of the person or credential that allowed it.'),
    created_at: timestampOutput.describe('When it was allowed.'),
  })
  .meta({
    id: 'TaskPermission',
    description: 'What agents may do for the rest of a task without asking again.',
    example: {
      id: exampleId('prm'),
      task_id: exampleId('tsk'),
      tool: examplePermission.tool,
      subject: examplePermission.command,
      input_id: exampleId('inp'),
      allowed_by: exampleId('usr'),
      created_at: exampleTime,
    },
  });
export type TaskPermissionResource = z.infer<typeof taskPermission>;

const text = z.string().max(500);
const filters = {
  id: text,
  tool: z.enum(toolKinds),
  subject: z.string().max(4_000),
  input_id: text,
  allowed_by: text,
  created_at: timestampInput,
};
export const taskPermissionListFields = Object.keys(filters) as [keyof typeof filters];
export const taskPermissionListQuery = listQuery({ sortable: taskPermissionListFields, filters });
export type TaskPermissionListQuery = z.output<typeof taskPermissionListQuery>;
export const taskPermissionList = listResponse(taskPermission);
