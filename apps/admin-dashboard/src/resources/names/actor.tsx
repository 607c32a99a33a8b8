import { useActorNames } from './actor-names.ts';

/** Who did something, by name. */
export const Actor = ({ id }: { id: string }) => <bdi title={id}>{useActorNames([id])(id)}</bdi>;
