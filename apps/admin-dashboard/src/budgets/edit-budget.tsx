import { useQuery } from '@tanstack/react-query';
import { api, read, type Versioned } from '../api/client.ts';
import { Modal } from '../parts/modal.tsx';
import { NotRead } from '../parts/notes.tsx';
import { ChangeButton } from '../resources/edit/change-button.tsx';
import { EditForm } from '../resources/edit/edit-form.tsx';
import { type Budget, budgetUnits } from '../resources/usage/usage-words.ts';
import { AmountFields } from './amount-fields.tsx';
import { budgetQuery } from './budget-queries.ts';
import { budgetLabels, changeIn, textsOfBudget } from './budget-values.ts';

const title = 'Change the budget';

export function EditBudget({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(budgetQuery(id));
  if (data) return <EditRead opened={data} onClose={onClose} />;
  return (
    <Modal title={title} isOpen onClose={onClose}>
      <NotRead error={error} onRetry={() => void refetch()} />
    </Modal>
  );
}

function EditRead({ opened, onClose }: { opened: Versioned<Budget>; onClose: () => void }) {
  const { id, unit } = opened.value;
  return (
    <EditForm
      title={title}
      resource="budgets"
      opened={opened}
      query={budgetQuery(id)}
      labels={budgetLabels}
      textsOf={textsOfBudget}
      send={(form, { etag }) => {
        const params = { path: { budget_id: id }, header: { 'If-Match': etag } };
        return read(api.PATCH('/v1/budgets/{budget_id}', { params, body: changeIn(form) }));
      }}
      done="Budget changed: the next call is held to it"
      onClose={onClose}
    >
      {(budget, errors) => (
        <>
          <AmountFields texts={textsOfBudget(budget)} errors={errors} hint={`In ${budgetUnits[unit]}.`} />
          <p>
            <DeleteBudget id={id} onDone={onClose} />
          </p>
        </>
      )}
    </EditForm>
  );
}

const DeleteBudget = ({ id, onDone }: { id: string; onDone: () => void }) => (
  <ChangeButton
    look="danger"
    change={{
      resource: 'budgets',
      deletes: id,
      send: () => read(api.DELETE('/v1/budgets/{budget_id}', { params: { path: { budget_id: id } } })),
      done: 'Budget deleted',
      onDone,
    }}
    failed="Not deleted"
  >
    Delete the budget
  </ChangeButton>
);
