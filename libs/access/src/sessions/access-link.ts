export const linkPath = (token: string): string => `/admin/welcome?token=${token}`;

/** A link is valid for 24 hours. */
export const linkEnd = (madeAt: Date): Date => new Date(madeAt.getTime() + 24 * 3_600_000);

export type LinkPurpose = { purpose: 'first_admin' } | { purpose: 'set_password'; email: string; name: string };
