export const hatch = 'a hatch';
