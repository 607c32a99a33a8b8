import { type FormEvent, useState } from 'react';
import { api, read, type Schemas } from '../api/client.ts';
import { asProblem } from '../api/problem.ts';
import { Button } from '../parts/button.tsx';
import { Modal } from '../parts/modal.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import parts from '../parts/parts.module.css';
import { CopyText } from '../work/copy-text.tsx';
import { forgetDrafts } from '../work/draft-fields.tsx';
import { useChange } from '../work/use-change.ts';
import { bodyOf, IntegrationFields } from './integration-fields.tsx';
import { TestConnection } from './test-connection.tsx';
import {
  type ConnectSearch,
  type Integration,
  type IntegrationType,
  integrationTypes,
  typeWords,
} from './integration-words.ts';

type Step = NonNullable<ConnectSearch['connect']>;
export type ConnectProps = { step: Step; onStep: (step: Step | undefined) => void; onOpen: (id: string) => void };

/** Connects a system in three steps: what it is, what it needs, what to set there. */
export function Connect({ step, onStep, onOpen }: ConnectProps) {
  const [made, setMade] = useState<{ integration: Integration; secret: string }>();
  const close = () => (made ? onOpen(made.integration.id) : onStep(undefined));
  return (
    <Modal title={titleOf(step, made !== undefined)} isOpen onClose={close}>
      {made ? (
        <SetThere {...made} onDone={close} />
      ) : step === 'choose' ? (
        <Choose onChosen={onStep} />
      ) : (
        <Configure type={step} onBack={() => onStep('choose')} onMade={setMade} />
      )}
    </Modal>
  );
}

const titleOf = (step: Step, isMade: boolean): string => {
  if (isMade) return 'Step 3 of 3: set it there';
  return step === 'choose' ? 'Step 1 of 3: what do you connect?' : `Step 2 of 3: ${typeWords[step].label}`;
};

const Choose = ({ onChosen }: { onChosen: (type: IntegrationType) => void }) => (
  <ul>
    {integrationTypes.map((type) => (
      <li key={type} className={parts['field']}>
        <Button onClick={() => onChosen(type)}>{typeWords[type].label}</Button>
        <span className={parts['small']}>{typeWords[type].purpose}</span>
      </li>
    ))}
  </ul>
);

/** 32 random bytes: nobody has to invent a secret. */
const makeSecret = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('');

type ConfigureProps = {
  type: IntegrationType;
  onBack: () => void;
  onMade: (made: { integration: Integration; secret: string }) => void;
};

function Configure({ type, onBack, onMade }: ConfigureProps) {
  const [key] = useState(() => crypto.randomUUID());
  const [secret] = useState(makeSecret);
  const draft = `connect-${type}`;
  const { mutate, isPending, error } = useChange({
    resource: 'integrations',
    send: (body: Schemas['CreateIntegration']) =>
      read(api.POST('/v1/integrations', { body, params: { header: { 'Idempotency-Key': key } } })),
    done: 'Connected',
    onDone: (integration) => {
      forgetDrafts(draft);
      onMade({ integration, secret: type === 'slack' ? '' : secret });
    },
  });
  const fields = error ? asProblem(error).fields : {};
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const body = bodyOf(type, new FormData(event.currentTarget));
    const signed = type === 'slack' ? {} : { secret };
    // The API checks which fields a type has.
    mutate({ type, ...signed, ...body } as Schemas['CreateIntegration']);
  };
  return (
    <form onSubmit={send}>
      <IntegrationFields type={type} fields={fields} draft={draft} />
      {error && <ProblemNote error={error} />}
      <div className={parts['row']}>
        <Button onClick={onBack}>Back</Button>
        <Button look="primary" type="submit" disabled={isPending}>
          Connect
        </Button>
      </div>
    </form>
  );
}

type SetThereProps = { integration: Integration; secret: string; onDone: () => void };

const SetThere = ({ integration, secret, onDone }: SetThereProps) => (
  <>
    <p>{typeWords[integration.type].next}</p>
    {integration.inbound_url !== undefined && <CopyText label="Address" value={integration.inbound_url} />}
    {secret !== '' && (
      <>
        <CopyText label="Secret" value={secret} />
        <p className={parts['small']}>The secret is shown only now.</p>
      </>
    )}
    <TestConnection integration={integration} />
    <Button look="primary" onClick={onDone}>
      Done
    </Button>
  </>
);
