import { MutationObserver, QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from '@jest/globals';
import { exists } from './deleted.ts';

describe('what a page deletes', () => {
  const setUp = () => {
    const client = new QueryClient();
    for (const key of ['agt_1', 'agt_2']) client.setQueryData(['agents', 'one', key], {});
    const readAgain = () =>
      client
        .getQueryCache()
        .findAll({ predicate: exists(client) })
        .map(({ queryKey }) => queryKey.at(-1));
    const remove = (mutationFn: () => Promise<void>) =>
      new MutationObserver(client, { mutationFn, meta: { deletes: 'agt_1' }, retry: false }).mutate();
    return { client, readAgain, remove };
  };

  it('is not read again, neither while the request is under way nor after it', async () => {
    const { client, readAgain, remove } = setUp();
    const request = Promise.withResolvers<void>();
    const removal = remove(() => request.promise);
    expect(readAgain()).toEqual(['agt_2']);
    request.resolve();
    await removal;
    expect(readAgain()).toEqual(['agt_2']);
    client.clear();
  });

  it('is read again when the request was refused', async () => {
    const { client, readAgain, remove } = setUp();
    await expect(remove(() => Promise.reject(new Error('412')))).rejects.toThrow('412');
    expect(readAgain()).toEqual(['agt_1', 'agt_2']);
    client.clear();
  });
});
