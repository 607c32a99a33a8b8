import { useNavigate } from '@tanstack/react-router';
import { api, read, type Schemas } from '../api/client.ts';
import { useMay } from '../api/session.ts';
import { PageHead } from '../parts/page-head.tsx';
import { useDraft } from '../parts/use-draft.ts';
import { forgetDrafts } from '../resources/edit/draft-fields.tsx';
import type { Workflow } from '../resources/run-queries.ts';
import { useChange } from '../resources/use-change.ts';
import { DefinitionEditor, NoScope } from './definition-editor.tsx';
import { textOf } from './definition-text.ts';
import { emptyDefinition } from './empty-definition.ts';

export function NewWorkflowPage() {
  const navigate = useNavigate();
  const mayWrite = useMay('workflows:write');
  const [draft, setDraft] = useDraft('definition:new:text');
  const create = useChange<Workflow, object>({
    resource: 'workflows',
    send: (body) => read(api.POST('/v1/workflows', { body: body as Schemas['CreateWorkflow'] })),
    done: 'Workflow created',
    onDone: ({ id: workflowId }) => {
      forgetDrafts('definition:new');
      void navigate({ to: '/workflows/$workflowId', params: { workflowId } });
    },
  });
  return (
    <>
      <PageHead title="New workflow" />
      {mayWrite ? (
        <DefinitionEditor
          text={draft || textOf(emptyDefinition)}
          onChange={setDraft}
          onSave={create.mutate}
          saveLabel="Create the workflow"
          isSaving={create.isPending}
          error={create.error}
        />
      ) : (
        <NoScope />
      )}
    </>
  );
}
