import { useQuery } from '@tanstack/react-query';
import { api, read, type Versioned } from '../api/client.ts';
import { Modal } from '../parts/modal.tsx';
import { NotRead } from '../parts/notes.tsx';
import { ChangeButton } from '../resources/edit/change-button.tsx';
import { EditForm } from '../resources/edit/edit-form.tsx';
import { RuleFields } from '../resources/rules/rule-fields.tsx';
import { textOfRules } from '../resources/rules/rules.ts';
import { policyQuery } from './policy-queries.ts';
import { labels, type Policy, rulesIn } from './policy-values.ts';

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
  const { id } = opened.value;
  return (
    <EditForm
      title="Change the policy"
      resource="policies"
      opened={opened}
      query={policyQuery(id)}
      labels={labels}
      textsOf={({ rules }) => ({ rules: textOfRules(rules) })}
      send={(form, { etag }) => {
        const params = { path: { policy_id: id }, header: { 'If-Match': etag } };
        return read(api.PATCH('/v1/policies/{policy_id}', { params, body: { rules: rulesIn(form) } }));
      }}
      done="Policy changed: the next request is decided by it"
      onClose={onClose}
    >
      {(policy, errors) => (
        <>
          <RuleFields name="rules" text={textOfRules(policy.rules)} errors={errors} />
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
  return (
    <ChangeButton
      look="danger"
      change={{
        resource: 'policies',
        deletes: opened.value.id,
        send: () => read(api.DELETE('/v1/policies/{policy_id}', { params })),
        done: 'Policy deleted',
        onDone,
      }}
      failed="Not deleted"
    >
      Delete the policy
    </ChangeButton>
  );
}
