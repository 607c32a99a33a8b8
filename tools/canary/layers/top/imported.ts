export const top = 'the top';
