/** `onHeld`: the person has decided. `onUndone`: what was decided waits again. */
export type DetailProps = { id: string; onHeld: () => void; onUndone: () => void };
