import { second } from './second.ts';

export const first = { name: 'first', read: (): string => second() };
