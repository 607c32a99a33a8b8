import type { Schemas } from '../../api/client.ts';

/** A command that shows whether work is good. */
export type Check = Schemas['RepositoryCheck'];

export const newCheck: Check = { name: '', command: '', timeout_seconds: 600 };

/** Versions are compared as texts: the API orders fields in its own way. */
export const inOrder = ({ name, command, timeout_seconds }: Check): Check => ({ name, command, timeout_seconds });
