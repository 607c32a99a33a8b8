/** What stands in a field of a form, without the spaces around it; '' where the form has no such field. */
export const textIn = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();
