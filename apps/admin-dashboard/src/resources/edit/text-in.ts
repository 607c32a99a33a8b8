/** The trimmed value of a form field; '' where the form has no such field. */
export const textIn = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();
