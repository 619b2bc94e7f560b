// Elements, and lists whose elements stay the same as long as what they are about does.
// Everything is put into the page as text, never as markup.

export const byId = (id) => document.getElementById(id);

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export function labelled(text, field) {
  return element("label", {}, text, field);
}

// Bring the children of an element into line with items; make(item) returns an element for one.
// What is there already stays where it is, and only what differs in it is changed: what is pointed
// at or has the focus is not replaced. Handlers of events stay those of the first element.
export function keep(parent, items, keyOf, make) {
  const present = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  let place = null;
  for (const item of items) {
    const made = make(item);
    made.dataset.key = String(keyOf(item));
    const child = present.get(made.dataset.key) || made;
    present.delete(made.dataset.key);
    if (child !== made) patch(child, made);
    const next = place ? place.nextSibling : parent.firstChild;
    if (child !== next) parent.insertBefore(child, next);
    place = child;
  }
  for (const child of present.values()) child.remove();
}

function patch(present, wanted) {
  if (present.nodeName !== wanted.nodeName) {
    present.replaceWith(wanted);
    return;
  }
  if (present.nodeType === Node.TEXT_NODE) {
    if (present.data !== wanted.data) present.data = wanted.data;
    return;
  }
  for (const name of present.getAttributeNames()) {
    if (!wanted.hasAttribute(name)) present.removeAttribute(name);
  }
  for (const name of wanted.getAttributeNames()) {
    const value = wanted.getAttribute(name);
    if (present.getAttribute(name) !== value) present.setAttribute(name, value);
  }
  const olds = [...present.childNodes];
  [...wanted.childNodes].forEach((child, place) => {
    if (olds[place]) patch(olds[place], child);
    else present.append(child);
  });
  for (const old of olds.slice(wanted.childNodes.length)) old.remove();
}

// A row of a table; on a narrow screen each cell says which column it is of.
export function row(table, ...cells) {
  const heads = [...table.closest("table").querySelectorAll("thead th")];
  return element("tr", {}, ...cells.map((cell, place) => {
    const made = cell instanceof HTMLTableCellElement ? cell : element("td", {}, cell);
    made.dataset.label = heads[place].textContent;
    return made;
  }));
}

export function duration(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}
