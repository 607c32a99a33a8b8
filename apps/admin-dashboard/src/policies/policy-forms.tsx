import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, read, type Schemas, type Versioned } from '../api/client.ts';
import { useOnce } from '../api/use-once.ts';
import { Button } from '../parts/button.tsx';
import { Modal } from '../parts/modal.tsx';
import { NotRead } from '../parts/notes.tsx';
import { sayProblem } from '../parts/toasts.tsx';
import { CreateForm } from '../resources/edit/create-form.tsx';
import { forgetDrafts } from '../resources/edit/draft-fields.tsx';
import { EditForm } from '../resources/edit/edit-form.tsx';
import { errorOf } from '../resources/edit/versions.ts';
import { NameField } from '../resources/names/name-choice.tsx';
import { RoleField } from '../resources/names/role-filter.tsx';
import { projectNames } from '../resources/names/sources.ts';
import { useChange } from '../resources/use-change.ts';
import { policyQuery } from './policy-queries.ts';
import { labels, newRule, type Policy, rulesOf, textOfRules } from './policy-values.ts';
import { RuleFields } from './rule-fields.tsx';

const draft = 'new-policy';
const start = { project_id: '', role: '', rules: textOfRules([newRule]) };

const textIn = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();

export function CreatePolicy({ onClose }: { onClose: () => void }) {
  const once = useOnce();
  const { mutate, isPending, error } = useChange({
    resource: 'policies',
    send: (body: Schemas['CreatePermissionPolicy']) =>
      once((header) => read(api.POST('/v1/policies', { body, params: { header } }))),
    done: 'Policy created',
    onDone: () => {
      forgetDrafts(draft);
      onClose();
    },
  });
  const send = (form: FormData) =>
    mutate({
      project_id: textIn(form, 'project_id') || null,
      role: textIn(form, 'role') || null,
      rules: rulesOf(textIn(form, 'rules')),
    });
  return (
    <CreateForm title="Create a policy" verb="Create" {...{ draft, start, error, isPending, onClose }} onSend={send}>
      {(texts, errors) => (
        <>
          <NameField
            source={projectNames}
            label="Project"
            name="project_id"
            first={texts.project_id}
            none="All projects"
            error={errorOf(errors, 'project_id')}
          />
          <RoleField
            label="Role"
            name="role"
            defaultValue={texts.role}
            hint="Empty: all roles."
            error={errorOf(errors, 'role')}
          />
          <RuleFields text={texts.rules} errors={errors} />
        </>
      )}
    </CreateForm>
  );
}

export function EditPolicy({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(policyQuery(id));
  if (data) return <EditRead opened={data} onClose={onClose} />;
  return (
    <Modal title="Change the policy" isOpen onClose={onClose}>
      <NotRead error={error} onRetry={() => void refetch()} />
    </Modal>
  );
}

function EditRead({ opened, onClose }: { opened: Versioned<Policy>; onClose: () => void }) {
  const client = useQueryClient();
  const { id } = opened.value;
  return (
    <EditForm
      title="Change the policy"
      resource="policies"
      opened={opened}
      readNow={() => client.fetchQuery({ ...policyQuery(id), staleTime: 0 })}
      labels={labels}
      textsOf={({ rules }) => ({ rules: textOfRules(rules) })}
      send={(form, { etag }) => {
        const params = { path: { policy_id: id }, header: { 'If-Match': etag } };
        return read(api.PATCH('/v1/policies/{policy_id}', { params, body: { rules: rulesOf(textIn(form, 'rules')) } }));
      }}
      done="Policy changed: the next request is decided by it"
      onClose={onClose}
    >
      {(policy, errors) => (
        <>
          <RuleFields text={textOfRules(policy.rules)} errors={errors} />
          <p>
            <DeletePolicy opened={opened} onDone={onClose} />
          </p>
        </>
      )}
    </EditForm>
  );
}

function DeletePolicy({ opened, onDone }: { opened: Versioned<Policy>; onDone: () => void }) {
  const params = { path: { policy_id: opened.value.id }, header: { 'If-Match': opened.etag } };
  const { mutate, isPending } = useChange({
    resource: 'policies',
    send: () => read(api.DELETE('/v1/policies/{policy_id}', { params })),
    done: 'Policy deleted',
    onDone,
  });
  return (
    <Button
      look="danger"
      disabled={isPending}
      onClick={() => mutate(undefined, { onError: (error) => sayProblem('Not deleted', error) })}
    >
      Delete the policy
    </Button>
  );
}
