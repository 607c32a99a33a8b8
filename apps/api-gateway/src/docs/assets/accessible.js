// What Swagger UI leaves out for people who use a screen reader or the keyboard.

/** A link inside of a button cannot be reached: the titles of operations become text. The button opens them. */
export const plainTitles = ({ React }) => ({
  wrapComponents: {
    DeepLink:
      () =>
      ({ text }) =>
        React.createElement('span', null, text),
  },
});

/** Controls without a name, and the name that each gets. */
const NAMES = [
  ['#servers', () => 'Server'],
  ['.examples-select-element', () => 'Example'],
  ['.close-modal', () => 'Close'],
  ['.body-param textarea', () => 'Request body'],
  ['tr[data-param-name] :is(select, input, textarea)', (control) => control.closest('tr').dataset.paramName],
];

function nameThem(root) {
  for (const [selector, nameOf] of NAMES)
    for (const control of root.querySelectorAll(selector))
      if (!control.hasAttribute('aria-label')) control.setAttribute('aria-label', nameOf(control));
  // What scrolls sideways has to be reached by the keyboard.
  for (const code of root.querySelectorAll('pre.microlight:not([tabindex])')) code.tabIndex = 0;
  // Their names have to contain what they show.
  for (const button of root.querySelectorAll('.auth-container button[aria-label]'))
    button.removeAttribute('aria-label');
}

/** Names what is there and what comes. */
export function nameControls(root) {
  new MutationObserver(() => nameThem(root)).observe(root, { childList: true, subtree: true });
  nameThem(root);
}
