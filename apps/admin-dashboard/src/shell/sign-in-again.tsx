import { type FormEvent, useState } from 'react';
import { signInAgain, useSession } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/field.tsx';
import { Modal } from '../parts/modal.tsx';
import { ProblemNote } from '../parts/notes.tsx';

/** A dialog when the session has ended: typed text stays, and pending requests continue afterwards. */
export function SignInAgain() {
  const { session, hasEnded } = useSession();
  const [problem, setProblem] = useState<unknown>();
  const [isSending, setIsSending] = useState(false);

  async function send(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget).get('password'));
    setIsSending(true);
    setProblem(undefined);
    await signInAgain(session?.user.email ?? '', password).catch(setProblem);
    setIsSending(false);
  }

  return (
    <Modal title="Your session has ended" isOpen={hasEnded} onClose={() => {}} isFixed>
      <form onSubmit={(event) => void send(event)}>
        <p>Sign in again as {session?.user.email} to go on. Nothing on this page is lost.</p>
        <TextField label="Password" name="password" type="password" autoComplete="current-password" required />
        {problem !== undefined && <ProblemNote error={problem} />}
        <Button look="primary" type="submit" disabled={isSending}>
          Sign in
        </Button>
      </form>
    </Modal>
  );
}
