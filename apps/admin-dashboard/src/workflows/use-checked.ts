import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, read, type Schemas } from '../api/client.ts';

/** Validation starts after this time without typing. */
const restMs = 800;

/** The API's findings for a definition while it is typed; undefined until this text is validated. */
export function useChecked(text: string, definition: object | undefined): { error: unknown; isValid: boolean } {
  const [rested, setRested] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs);
    return () => clearTimeout(timer);
  }, [text]);
  const { data, error } = useQuery({
    queryKey: ['workflows', 'checked', rested],
    enabled: definition !== undefined && rested === text,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      await read(api.POST('/v1/workflows/validate', { body: definition as Schemas['CreateWorkflow'], signal }));
      return true;
    },
  });
  return rested === text ? { error, isValid: data === true } : { error: undefined, isValid: false };
}
