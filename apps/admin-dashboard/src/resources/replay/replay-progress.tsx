import { Button } from '../../parts/button.tsx';
import { Moment } from '../../parts/moment.tsx';
import styles from '../../parts/parts.module.css';
import { Tag } from '../../parts/tag.tsx';
import log from '../log.module.css';
import { Actor } from '../names/actor.tsx';

type ReplayState = { status: string; total: number; replayed: number; created_at: string; created_by: string };
export type ReplayProgressProps = { replay: ReplayState; onCancel?: (() => void) | undefined };

/** How often a page that shows something running reads it again: its progress is no event. */
export const progressEveryMs = 1_000;

export const ReplayProgress = ({ replay, onCancel }: ReplayProgressProps) => (
  <div className={log['narrow']}>
    <div className={styles['row']}>
      <Tag tone={replay.status === 'completed' ? 'good' : replay.status === 'running' ? 'accent' : 'none'}>
        {replay.status}
      </Tag>
      <span>
        {replay.replayed} of {replay.total}
      </span>
      <span className={styles['small']}>
        <Moment at={replay.created_at} /> by <Actor id={replay.created_by} />
      </span>
      {replay.status === 'running' && onCancel && <Button onClick={onCancel}>Cancel the replay</Button>}
    </div>
    <progress
      className={log['progress']}
      max={Math.max(replay.total, 1)}
      value={replay.status === 'completed' ? Math.max(replay.total, 1) : replay.replayed}
      aria-label="Progress of the replay"
    />
  </div>
);
