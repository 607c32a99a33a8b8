import { hen } from './hen.ts';

export const egg = { name: 'egg', lay: (): string => hen() };
