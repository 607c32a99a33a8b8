import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { api, read } from '../api/client.ts';
import { asProblem } from '../api/problem.ts';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/field.tsx';
import { Modal } from '../parts/modal.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import styles from '../parts/parts.module.css';
import { say } from '../parts/toasts.tsx';

type Change = { current_password: string; new_password: string };

/** Changes the password of the person who is signed in. */
export function ChangePassword({ onClose }: { onClose: () => void }) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: Change) => read(api.POST('/admin/api/session/password', { body })),
    onSuccess: () => {
      say('Password changed');
      onClose();
    },
  });
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const textOf = (name: keyof Change) => String(form.get(name));
    mutate({ current_password: textOf('current_password'), new_password: textOf('new_password') });
  };
  const fields = error ? asProblem(error).fields : {};
  const common = { type: 'password', maxLength: 256, required: true };
  return (
    <Modal title="Change your password" isOpen onClose={onClose}>
      <form onSubmit={send}>
        <p className={styles['field']}>
          You stay signed in here. Your other sessions end, and applications that you gave access lose it.
        </p>
        <TextField
          label="Current password"
          name="current_password"
          autoComplete="current-password"
          error={fields['current_password']}
          {...common}
        />
        <TextField
          label="New password"
          name="new_password"
          autoComplete="new-password"
          hint="12 to 256 characters. Several words in a row make a good password."
          error={fields['new_password']}
          minLength={12}
          {...common}
        />
        {error && <ProblemNote error={error} />}
        <Button look="primary" type="submit" disabled={isPending}>
          Change the password
        </Button>
      </form>
    </Modal>
  );
}
