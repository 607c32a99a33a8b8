// The list of sections and operations next to the documentation.
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

const make = (name, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};

/** Operations by tag, in the order of the contract; webhooks are the last section. */
function sectionsOf({ tags = [], paths = {}, webhooks = {} }) {
  const sections = new Map(tags.map(({ name }) => [name, []]));
  const add = (items, tagOf) => {
    for (const item of Object.values(items))
      for (const method of METHODS.filter((name) => item[name])) {
        const { operationId, summary, tags: [tag] = [] } = item[method];
        const section = tagOf(tag);
        sections.set(section, [...(sections.get(section) ?? []), { tag: section, operationId, summary, method }]);
      }
  };
  add(paths, (tag) => tag);
  add(webhooks, () => 'webhooks');
  return [...sections].filter(([, operations]) => operations.length > 0);
}

/** Opens an operation, which also puts its address into the address bar, and shows it. */
function open({ layoutActions }, { tag, operationId }) {
  const id = `operations-${tag.replaceAll(' ', '_')}-${operationId}`;
  layoutActions.show(['operations-tag', tag], true);
  layoutActions.show(['operations', tag, operationId], true);
  requestAnimationFrame(() => {
    const block = document.getElementById(id);
    block?.scrollIntoView();
    block?.querySelector('button')?.focus({ preventScroll: true });
  });
}

function linkTo(ui, operation) {
  const { tag, operationId, summary, method } = operation;
  const badge = make('span', { className: `method ${method}`, textContent: method.toUpperCase() });
  const href = `#/${encodeURIComponent(tag)}/${operationId}`;
  const link = make('a', { href }, badge, ' ', summary);
  link.addEventListener('click', (event) => {
    event.preventDefault();
    open(ui, operation);
  });
  return make('li', {}, link);
}

export function showContents(nav, contract, ui) {
  const groups = sectionsOf(contract).map(([tag, operations]) => {
    const title = tag === 'webhooks' ? 'Webhook events' : tag;
    const items = operations.map((operation) => linkTo(ui, operation));
    return make('details', {}, make('summary', { textContent: title }), make('ul', {}, ...items));
  });
  nav.append(make('p', { className: 'title', textContent: contract.info.title }), ...groups);
}
