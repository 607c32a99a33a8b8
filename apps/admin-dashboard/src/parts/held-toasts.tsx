import type { Toast } from '@base-ui/react/toast';
import { useEffect, useRef, useState } from 'react';
import { heldCalls, holdMs, useHeldCalls } from '../api/held-calls.ts';
import { Button } from './button.tsx';
import styles from './parts.module.css';
import { useShortcuts } from './shortcuts.ts';

type Manager = ReturnType<typeof Toast.createToastManager>;

const description = `It is sent after ${holdMs / 1_000} s, unless you undo it.`;

/** A toast for each held call. */
export function useHeldToasts(manager: Manager): void {
  const held = useHeldCalls();
  const shown = useRef<readonly string[]>([]);
  useEffect(() => {
    const ids = held.map(({ id }) => id);
    for (const { id, title } of held.filter((one) => !shown.current.includes(one.id)))
      manager.add({ id, title, description, timeout: 0, data: { heldId: id } });
    shown.current.filter((id) => !ids.includes(id)).forEach((id) => manager.close(id));
    shown.current = ids;
  }, [held, manager]);
  const undo = { keys: 'z', label: 'Undo the last decision', run: () => heldCalls.undo() };
  useShortcuts(held.some(({ sent }) => !sent) ? [undo] : []);
}

/** The held call that a toast is about. */
export const heldIdOf = ({ data }: { data?: unknown }): string | undefined =>
  (data as { heldId?: string } | undefined)?.heldId;

export function HeldControls({ id }: { id: string }) {
  const held = useHeldCalls();
  const call = held.find((one) => one.id === id);
  const seconds = useSecondsUntil(call?.endsAt ?? 0);
  if (!call) return null;
  if (call.sent) return <p>Sending …</p>;
  const hasKey = held.findLast(({ sent }) => !sent) === call;
  return (
    <div className={styles['row']}>
      <Button {...(hasKey && { shortcut: 'z' })} onClick={() => heldCalls.undo(id)}>
        Undo
      </Button>
      <Button look="plain" onClick={() => void heldCalls.send(id)}>
        Send now
      </Button>
      <span aria-hidden="true">{seconds} s</span>
    </div>
  );
}

function useSecondsUntil(endsAt: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((endsAt - now) / 1_000));
}
