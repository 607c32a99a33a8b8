// Adds an accessible name to the library's icon-only buttons, by the class of the icon.
const names = new Map([
  ['lucide-maximize', 'Full screen'],
  ['lucide-settings', 'Settings of the page'],
  ['lucide-link', 'Links'],
  ['lucide-ellipsis-vertical', 'Actions'],
  ['lucide-ellipsis', 'Actions'],
]);

const wordsOf = (icon) => names.get(icon) ?? icon.replace('lucide-', '').replaceAll('-', ' ');

function nameOf(button) {
  const icon = button.querySelector('svg');
  const known = [...(icon?.classList ?? [])].find((name) => name.startsWith('lucide-'));
  return known ? wordsOf(known) : 'Details of the store';
}

function nameButtons() {
  for (const picture of document.querySelectorAll('svg[role="img"]:not([aria-label])'))
    picture.setAttribute('aria-hidden', 'true');
  for (const button of document.querySelectorAll('button:not([aria-label])'))
    if (button.textContent?.trim() === '' || button.querySelector('svg style'))
      button.setAttribute('aria-label', nameOf(button));
}

new MutationObserver(nameButtons).observe(document.documentElement, { childList: true, subtree: true });
