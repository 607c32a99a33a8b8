export const bottom = (): string => 'the bottom';
