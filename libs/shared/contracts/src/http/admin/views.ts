import { z } from 'zod';
import { exampleId, exampleTime, freeForm, idOf, requiredText, timestampOutput } from '../../fields.ts';

const viewKinds = ['task_view', 'task_template'] as const;
export type ViewKind = (typeof viewKinds)[number];
/** Maximum number of views of a caller. */
export const maxViews = 200;
const maxDataBytes = 64 * 1024;

const kind = z.enum(viewKinds);
const kindText = 'task_view: filters and order of a list of tasks; task_template: fields of a task to create.';
const nameText = 'Name of the view.';
const exampleFields = { kind: 'task_view', name: 'Urgent', data: { priority: 'critical' } };

export const saveViewBody = z
  .object({
    kind: kind.describe(kindText),
    name: requiredText(100).describe(nameText),
    data: freeForm(maxDataBytes).describe('What is saved, for the application that shows it. At most 64 KiB.'),
  })
  .meta({ id: 'SaveView', description: 'What to save under a name.', example: exampleFields });
export type SaveViewBody = z.output<typeof saveViewBody>;

export const viewResource = z
  .object({
    id: idOf('ID of the view.'),
    kind: kind.describe(kindText),
    name: z.string().max(100).describe(nameText),
    data: z.record(z.string(), z.unknown()).describe('What was saved.'),
    created_at: timestampOutput.describe('When it was created.'),
    updated_at: timestampOutput.describe('When it was last saved.'),
  })
  .meta({
    id: 'View',
    description: 'What a caller saved under a name. No one else sees it.',
    example: { id: exampleId('viw'), ...exampleFields, created_at: exampleTime, updated_at: exampleTime },
  });
export type ViewResource = z.infer<typeof viewResource>;

export const viewList = z
  .object({ data: z.array(viewResource).max(maxViews).describe('The views, by kind and name.') })
  .meta({
    id: 'ViewList',
    description: 'All views of the caller.',
    example: { data: [{ id: exampleId('viw'), ...exampleFields, created_at: exampleTime, updated_at: exampleTime }] },
  });
