import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { api, read, type Schemas } from '../api/client.ts';
import { asProblem } from '../api/problem.ts';
import { useMay } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { NotRead } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import parts from '../parts/parts.module.css';
import { useDraft } from '../parts/use-draft.ts';
import { forgetDrafts } from '../resources/edit/draft-fields.tsx';
import { type Workflow, workflowQuery } from '../resources/run-queries.ts';
import { useChange } from '../resources/use-change.ts';
import { DefinitionEditor, NoScope } from './definition-editor.tsx';
import { mergePatchOf, textOf } from './definition-text.ts';

export function EditWorkflowPage() {
  const { workflowId } = useParams({ from: '/workflows/$workflowId/edit' });
  const { data: workflow, error, refetch } = useQuery(workflowQuery(workflowId));
  const mayWrite = useMay('workflows:write');
  if (!workflow) return <NotRead error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <PageHead title={`Edit: ${workflow.name}`}>
        <Link to="/workflows/$workflowId" params={{ workflowId }}>
          Back to the workflow
        </Link>
      </PageHead>
      {mayWrite ? <EditForm key={workflowId} workflow={workflow} /> : <NoScope />}
    </>
  );
}

/** The draft keeps the version that it is based on: saving it over another one is refused by the API. */
function useBase({ id, version, definition }: Workflow) {
  const [kept, setKept] = useDraft(`definition:${id}:base`);
  const base = kept === '' ? { version, definition } : (JSON.parse(kept) as Pick<Workflow, 'version' | 'definition'>);
  const keep = () => kept === '' && setKept(JSON.stringify({ version, definition }));
  const rebase = () => setKept(JSON.stringify({ version, definition }));
  return { base, keep, rebase };
}

function EditForm({ workflow }: { workflow: Workflow }) {
  const { id, version, definition } = workflow;
  const navigate = useNavigate();
  const [draft, setDraft] = useDraft(`definition:${id}:text`);
  const { base, keep, rebase } = useBase(workflow);
  const save = useChange<Workflow, object>({
    resource: 'workflows',
    send: (after) => {
      const params = { path: { workflow_id: id }, header: { 'If-Match': `"${base.version}"` } };
      const body = mergePatchOf(base.definition, after as Record<string, unknown>) as Schemas['ChangeWorkflow'];
      return read(api.PATCH('/v1/workflows/{workflow_id}', { params, body }));
    },
    done: 'Saved: runs that start from now on use this version',
    onDone: () => {
      forgetDrafts(`definition:${id}`);
      void navigate({ to: '/workflows/$workflowId', params: { workflowId: id } });
    },
  });
  const isOutdated = base.version !== version;
  const takeOver = () => {
    forgetDrafts(`definition:${id}`);
    setDraft(textOf(definition));
    rebase();
  };
  return (
    <DefinitionEditor
      text={draft || textOf(base.definition)}
      onChange={(text) => {
        keep();
        setDraft(text);
      }}
      onSave={save.mutate}
      saveLabel={`Save as version ${base.version + 1}`}
      isSaving={save.isPending}
      error={isOutdated && save.error && asProblem(save.error).kind === 'conflict' ? undefined : save.error}
    >
      {isOutdated && <ChangedByOther {...{ workflow, begunWith: base.version, onTake: takeOver, onKeep: rebase }} />}
    </DefinitionEditor>
  );
}

type ChangedProps = { workflow: Workflow; begunWith: number; onTake: () => void; onKeep: () => void };

/** Shows both versions until the person has chosen one. */
const ChangedByOther = ({ workflow: { version, definition }, begunWith, onTake, onKeep }: ChangedProps) => (
  <section aria-label="Changed meanwhile" className={parts['note']}>
    <strong>
      Somebody saved version {version} meanwhile. Your text began with version {begunWith}.
    </strong>
    <details>
      <summary>Show version {version}</summary>
      <pre className={parts['code']} tabIndex={0}>
        {textOf(definition)}
      </pre>
    </details>
    <div className={parts['row']}>
      <Button onClick={onTake}>Take version {version}, drop my text</Button>
      <Button onClick={onKeep}>Keep my text, save it over version {version}</Button>
    </div>
  </section>
);
