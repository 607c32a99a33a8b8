/** Where a one-time link leads. */
export const linkPath = (token: string): string => `/admin/welcome?token=${token}`;

/** A link is good for that long. */
export const linkHours = 24;

/** What a one-time link lets its holder do. */
export type LinkPurpose = { purpose: 'first_admin' } | { purpose: 'set_password'; email: string; name: string };
