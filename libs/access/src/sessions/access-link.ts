export const linkPath = (token: string): string => `/admin/welcome?token=${token}`;

/** A link is good for that long. */
export const linkHours = 24;

export type LinkPurpose = { purpose: 'first_admin' } | { purpose: 'set_password'; email: string; name: string };
