import { useRef, useState } from 'react';

type Written<T> = { read: (text: string) => T[]; print: (list: readonly T[]) => string };

/** A list that people see as rows, and that the form sends as the text of one `hidden` field. */
export function useListField<T>(name: string, text: string, { read, print }: Written<T>) {
  const field = useRef<HTMLInputElement>(null);
  const [list, show] = useState(() => read(text));
  const set = (next: T[]) => {
    // The form reads its fields before this is drawn again.
    if (field.current) field.current.value = print(next);
    show(next);
  };
  return { list, set, hidden: <input ref={field} type="hidden" name={name} value={print(list)} /> };
}
