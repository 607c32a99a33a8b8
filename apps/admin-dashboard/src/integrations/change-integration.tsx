import { type FormEvent, useState } from 'react';
import { api, read, type Schemas } from '../api/client.ts';
import { asProblem } from '../api/problem.ts';
import { Button } from '../parts/button.tsx';
import { Modal } from '../parts/modal.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import parts from '../parts/parts.module.css';
import { useChange } from '../work/use-change.ts';
import type { DialogProps } from './integration-changes.tsx';
import { bodyOf, IntegrationFields, describeFields } from './integration-fields.tsx';
import type { Integration } from './integration-words.ts';

/** Changes the version that was shown when the form was opened. What somebody else saved meanwhile is shown beside it. */
export function ChangeIntegration({ integration, etag, onClose }: DialogProps & { etag: string | undefined }) {
  const [base, setBase] = useState({ integration, etag });
  const { mutate, isPending, error, reset } = useChange({
    resource: 'integrations',
    send: (body: Schemas['ChangeIntegration']) => {
      const header = base.etag === undefined ? {} : { 'If-Match': base.etag };
      const params = { path: { integration_id: integration.id }, header };
      return read(api.PATCH('/v1/integrations/{integration_id}', { params, body }));
    },
    done: 'Integration changed',
    onDone: onClose,
  });
  const isOvertaken = error !== null && asProblem(error).status === 412;
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // The API checks the values.
    mutate(
      bodyOf(integration.type, new FormData(event.currentTarget), base.integration) as Schemas['ChangeIntegration'],
    );
  };
  return (
    <Modal title="Change the integration" isOpen onClose={onClose}>
      <form onSubmit={send}>
        <IntegrationFields
          type={integration.type}
          integration={base.integration}
          fields={error ? asProblem(error).fields : {}}
        />
        {error && !isOvertaken && <ProblemNote error={error} />}
        {isOvertaken && (
          <Overtaken
            now={integration}
            onGoOn={() => {
              setBase({ ...base, etag });
              reset();
            }}
          />
        )}
        <Button look="primary" type="submit" disabled={isPending || isOvertaken}>
          Save
        </Button>
      </form>
    </Modal>
  );
}

const Overtaken = ({ now, onGoOn }: { now: Integration; onGoOn: () => void }) => (
  <div role="alert">
    <strong>Somebody else changed this integration meanwhile. It is now:</strong>
    <p className={parts['text']}>{describeFields(now)}</p>
    <Button onClick={onGoOn}>Keep mine, to save it over this</Button>
  </div>
);
