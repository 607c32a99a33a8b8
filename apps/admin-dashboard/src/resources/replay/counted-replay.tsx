import { type FormEvent, type ReactNode, useState } from 'react';
import type { Resource } from '../../live/stale-after.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { Modal } from '../../parts/modal.tsx';
import { ProblemNote } from '../../parts/notes.tsx';
import parts from '../../parts/parts.module.css';
import { useChange } from '../use-change.ts';

export type CountedReplayProps<Body, Replay> = {
  title: string;
  resource: Resource;
  /** What is counted, in the plural. */
  things: string;
  verb: string;
  bodyOf: (form: FormData) => Body;
  count: (body: Body) => Promise<{ total: number }>;
  /** `key`: the idempotency key, which makes retries safe. */
  start: (body: Body, key: string) => Promise<Replay>;
  onStarted: (replay: Replay) => void;
  onClose: () => void;
  /** The fields of the filter. */
  children: ReactNode;
};

/** Counts first; the counted events can then be replayed. */
export function CountedReplay<Body, Replay>({
  bodyOf,
  count,
  start,
  children,
  ...props
}: CountedReplayProps<Body, Replay>) {
  const [counted, setCounted] = useState<{ body: Body; total: number; key: string }>();
  const counting = useChange({
    resource: props.resource,
    send: async (body: Body) => ({ body, total: (await count(body)).total, key: crypto.randomUUID() }),
    onDone: setCounted,
  });
  const starting = useChange({
    resource: props.resource,
    send: ({ body, key }: { body: Body; key: string }) => start(body, key),
    done: 'Replay started',
    onDone: props.onStarted,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    counting.mutate(bodyOf(new FormData(event.currentTarget)));
  };
  const error = counting.error ?? starting.error;
  return (
    <Modal title={props.title} isOpen onClose={props.onClose}>
      <form onSubmit={submit} onChange={() => setCounted(undefined)}>
        {children}
        {error && <ProblemNote error={error} />}
        <div className={parts['row']}>
          <Button type="submit" disabled={counting.isPending}>
            Count
          </Button>
          {counted && (
            <>
              <span role="status">
                {counted.total} {props.things} match.
              </span>
              <Button
                look="primary"
                disabled={starting.isPending || counted.total === 0}
                onClick={() => starting.mutate(counted)}
              >
                {props.verb}
              </Button>
            </>
          )}
        </div>
      </form>
    </Modal>
  );
}

const usualPace = 50;

export const PaceField = ({ things, max }: { things: string; max: number }) => (
  <TextField
    label={`${things} per second at most`}
    name="max_per_second"
    type="number"
    min={1}
    max={max}
    defaultValue={usualPace}
  />
);

export const paceOf = (form: FormData): number => Number(form.get('max_per_second')) || usualPace;
