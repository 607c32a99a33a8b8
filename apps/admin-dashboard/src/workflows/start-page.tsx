import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { api, read, type Schemas } from '../api/client.ts';
import { asProblem } from '../api/problem.ts';
import { useMay } from '../api/session.ts';
import { useOnce } from '../api/use-once.ts';
import { Button } from '../parts/button.tsx';
import { NotRead, ProblemNote } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { DraftArea, DraftText, forgetDrafts } from '../resources/edit/draft-fields.tsx';
import { type Workflow, workflowQuery } from '../resources/run-queries.ts';
import { useChange } from '../resources/use-change.ts';
import { ParameterField } from './parameter-field.tsx';
import { moreName, readParameters } from './parameter-values.ts';
import styles from './workflows.module.css';

export function StartPage() {
  const { workflowId } = useParams({ from: '/workflows/$workflowId/start' });
  const { data: workflow, error, refetch } = useQuery(workflowQuery(workflowId));
  const mayStart = useMay('workflows:run');
  if (!workflow) return <NotRead error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <PageHead title={`Start: ${workflow.name}`} />
      {mayStart && workflow.archived_at === null && <StartForm workflow={workflow} />}
      {!mayStart && <p>You need the scope workflows:run to start a run.</p>}
      {workflow.archived_at !== null && <p>This workflow is archived: no run can start. Unarchive it on its page.</p>}
    </>
  );
}

function useStart(workflowId: string, onStarted: (runId: string) => void) {
  const once = useOnce();
  return useChange<Schemas['Run'], Schemas['StartRun']>({
    resource: 'runs',
    send: (body) =>
      once((header) => {
        const params = { path: { workflow_id: workflowId }, header };
        return read(api.POST('/v1/workflows/{workflow_id}/start', { params, body }));
      }),
    done: 'Run started',
    onDone: ({ workflow_run_id: runId }) => onStarted(runId),
  });
}

function StartForm({ workflow: { id, definition } }: { workflow: Workflow }) {
  const navigate = useNavigate();
  const draft = `start:${id}`;
  const declared = definition.parameters ?? {};
  const [own, setOwn] = useState<Record<string, string>>({});
  const { mutate, isPending, error } = useStart(id, (runId) => {
    forgetDrafts(draft);
    void navigate({ to: '/runs/$runId', params: { runId } });
  });
  const fields = error ? asProblem(error).fields : {};
  const errorOf = (name: string) => own[name] ?? fieldError(fields, `parameters.${name}`);
  const shown = ['name', ...Object.keys(declared).map((name) => `parameters.${name}`)];
  const others = Object.keys(fields).filter((field) => !shown.some((one) => isIn(field, one)));
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const textOf = (name: string) => String(form.get(name) ?? '');
    const typed = Object.fromEntries(Object.keys(declared).map((name) => [name, textOf(`parameters.${name}`)]));
    const { values, errors } = readParameters(declared, typed, textOf(moreName));
    setOwn(errors);
    if (Object.keys(errors).length === 0) mutate({ name: textOf('name').trim(), parameters: values });
  };
  return (
    <form className={styles['form']} onSubmit={send} noValidate>
      <DraftText
        draft={draft}
        name="name"
        label="Name of the run"
        error={fieldError(fields, 'name')}
        maxLength={200}
        required
      />
      {Object.entries(declared).map(([name, parameter]) => (
        <ParameterField key={name} draft={draft} name={name} parameter={parameter} error={errorOf(name)} />
      ))}
      <DraftArea
        draft={draft}
        name={moreName}
        label="More parameters"
        hint={'Those that the workflow does not declare, as a JSON object: {"ticket_id": "T-1"}.'}
        error={own[moreName] ?? listed(others, fields)}
      />
      {error && Object.keys(fields).length === 0 && <ProblemNote error={error} />}
      <Button look="primary" type="submit" disabled={isPending}>
        Start the run
      </Button>
    </form>
  );
}

const listed = (names: readonly string[], fields: Readonly<Record<string, string>>): string | undefined =>
  names.length === 0 ? undefined : names.map((name) => `${name}: ${fields[name]}`).join('\n');

const isIn = (field: string, name: string): boolean => field === name || field.startsWith(`${name}.`);

/** The error of the field, or of a part of it. */
function fieldError(fields: Readonly<Record<string, string>>, name: string): string | undefined {
  const own = Object.entries(fields).filter(([field]) => isIn(field, name));
  return own.length === 0 ? undefined : own.map(([, message]) => message).join('\n');
}
