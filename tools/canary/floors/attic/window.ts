export const window = 'a window';
