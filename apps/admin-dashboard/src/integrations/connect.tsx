import { type FormEvent, useState } from 'react';
import { api, read, type Schemas } from '../api/client.ts';
import { asProblem } from '../api/problem.ts';
import { useOnce } from '../api/use-once.ts';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/field.tsx';
import { Modal } from '../parts/modal.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import parts from '../parts/parts.module.css';
import { CopyText } from '../resources/copy-text.tsx';
import { forgetDrafts } from '../resources/edit/draft-fields.tsx';
import { type Integration, type IntegrationType, typeLabels } from '../resources/integrations/integration-names.ts';
import { useChange } from '../resources/use-change.ts';
import { IntegrationFields } from './integration-fields.tsx';
import { bodyOf } from './integration-values.ts';
import { type ConnectSearch, integrationTypes, typeWords } from './integration-words.ts';
import { SetupSteps } from './setup-steps.tsx';
import { TestConnection } from './test-connection.tsx';

type Step = NonNullable<ConnectSearch['connect']>;
export type ConnectProps = { step: Step; onStep: (step: Step | undefined) => void; onOpen: (id: string) => void };

/** Connects a system in three steps: what it is, what it needs, what to set there. */
export function Connect({ step, onStep, onOpen }: ConnectProps) {
  const [made, setMade] = useState<{ integration: Integration; secret: string }>();
  const close = () => (made ? onOpen(made.integration.id) : onStep(undefined));
  return (
    <Modal title={titleOf(step, made !== undefined)} isOpen onClose={close} isFixed={(made?.secret ?? '') !== ''}>
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
  return step === 'choose' ? 'Step 1 of 3: what do you connect?' : `Step 2 of 3: ${typeLabels[step]}`;
};

const Choose = ({ onChosen }: { onChosen: (type: IntegrationType) => void }) => (
  <ul>
    {integrationTypes.map((type) => (
      <li key={type} className={parts['field']}>
        <Button onClick={() => onChosen(type)}>{typeLabels[type]}</Button>
        <span className={parts['small']}>{typeWords[type].purpose}</span>
      </li>
    ))}
  </ul>
);

/** 32 random bytes: people need not invent a secret. */
const makeSecret = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('');

type ConfigureProps = {
  type: IntegrationType;
  onBack: () => void;
  onMade: (made: { integration: Integration; secret: string }) => void;
};

function Configure({ type, onBack, onMade }: ConfigureProps) {
  const once = useOnce();
  const [made] = useState(makeSecret);
  const draft = `connect-${type}`;
  const { mutate, isPending, error } = useChange({
    resource: 'integrations',
    send: async (body: Schemas['CreateIntegration']) => {
      const integration = await once((header) => read(api.POST('/v1/integrations', { body, params: { header } })));
      return { integration, secret: 'secret' in body && body.secret === made ? made : '' };
    },
    done: 'Connected',
    onDone: (result) => {
      forgetDrafts(draft);
      onMade(result);
    },
  });
  const errors = error ? asProblem(error).fields : {};
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const body = bodyOf(type, form);
    const own = String(form.get('secret') ?? '');
    const signed = type === 'slack' ? {} : { secret: own === '' ? made : own };
    // The API checks which fields a type has.
    mutate({ type, ...signed, ...body } as Schemas['CreateIntegration']);
  };
  return (
    <form onSubmit={send}>
      <IntegrationFields type={type} errors={errors} draft={draft} />
      {type !== 'slack' && (
        <TextField
          label="Secret"
          name="secret"
          type="password"
          autoComplete="off"
          hint="Signs the webhooks. Empty: one is made, and shown in the next step."
          error={errors['secret']}
        />
      )}
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
    <SetupSteps type={integration.type} />
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
