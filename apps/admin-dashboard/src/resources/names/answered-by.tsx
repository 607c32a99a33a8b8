import type { Input } from '../task-queries.ts';
import { Actor } from './actor.tsx';

/** Who answered: as the chat names them, if it was there. */
export const AnsweredBy = ({ answered_by: id, answered_by_name: name }: Input) =>
  name === null ? id && <Actor id={id} /> : <bdi title={id ?? ''}>{name}</bdi>;
