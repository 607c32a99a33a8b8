import { window } from '../attic/window.ts';

export const stairs = (): string => `stairs to ${window}`;
