export const shelf = (): string => 'a shelf';
