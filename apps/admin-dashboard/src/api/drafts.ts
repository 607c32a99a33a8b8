// What is typed and not sent yet, for this tab alone and per person.
const prefix = 'eas-draft:';

/** Storage can be blocked or full: then what was typed is kept as long as the page is open. */
function tryStorage<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

const nameOf = (userId: string, key: string): string => `${prefix}${userId}:${key}`;

export const readDraft = (userId: string, key: string): string =>
  tryStorage(() => sessionStorage.getItem(nameOf(userId, key))) ?? '';

/** '' forgets it. */
export const writeDraft = (userId: string, key: string, text: string): void =>
  tryStorage(() =>
    text === '' ? sessionStorage.removeItem(nameOf(userId, key)) : sessionStorage.setItem(nameOf(userId, key), text),
  );

function removeDrafts(isMeant: (name: string) => boolean): void {
  tryStorage(() =>
    Object.keys(sessionStorage)
      .filter((name) => name.startsWith(prefix) && isMeant(name))
      .forEach((name) => sessionStorage.removeItem(name)),
  );
}

/** Forgets the drafts of the person whose keys begin so. */
export const removeDraftsOf = (userId: string, key: string): void =>
  removeDrafts((name) => name.startsWith(nameOf(userId, key)));

export const removeOtherDrafts = (userId: string): void => removeDrafts((name) => !name.startsWith(nameOf(userId, '')));

export const removeAllDrafts = (): void => removeDrafts(() => true);
