export const middle = 'the middle';
