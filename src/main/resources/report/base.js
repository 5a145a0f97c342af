'use strict';
/* The data of this page, its text in the chosen language, and how elements are made: from text, never from markup. */
const P = {
  data: JSON.parse(document.getElementById('data').textContent),
  charts: [],
  language: 'en',
  trial: null,
};

/* The text of a key, with {0}, {1}, … replaced. */
P.t = (key, ...values) => {
  const text = P.data.texts[P.language][key];
  return (text === undefined ? key : text).replace(/\{(\d)\}/g, (all, n) => (n in values ? String(values[n]) : all));
};

/* What a figure is called in the chosen language. */
P.label = figure => figure.label[P.language] || figure.label.en;

/* A sentence of the run in the chosen language; a name is the same in each. */
P.said = text => (text && typeof text === 'object' ? text[P.language] || text.en : text);

/* The word for one of a fixed set of values, as the value itself is if it is none of the set. */
P.term = (group, value) => {
  const key = group + String(value).replace(/\W+/g, '_');
  return Object.hasOwn(P.data.texts[P.language], key) ? P.t(key) : value;
};

/* el('p', {class: 'note'}, 'text', child, …): whatever is not an element becomes text. */
P.el = (name, attributes, ...children) => {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (key === 'style') for (const [k, v] of Object.entries(value)) node.style.setProperty(k, v);
    else node.setAttribute(key, value === true ? '' : value);
  }
  P.add(node, children);
  return node;
};

P.add = (node, children) => {
  for (const child of children.flat(3)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return node;
};

P.svg = (name, attributes, ...children) => {
  const node = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return P.add(node, children);
};

/* A phone, where what few readers look for is folded: its title is there, and opens it. */
P.narrow = () => document.documentElement.clientWidth <= 860;
P.folded = (title, ...content) => (P.narrow() ? [P.more(title, title, content)] : [P.el('h3', {}, title), ...content]);

/* What opens by its title, and stays open when the page is made again; the key is its own. */
P.more = (title, key, content) => P.el('details', {
  class: 'more', open: P.opened.has(key), ontoggle: event => (event.target.open ? P.opened.add(key) : P.opened.delete(key)),
}, P.el('summary', {}, title), content);
P.opened = new Set();

P.list = value => (Array.isArray(value) ? value : []);
P.entries = value => (value && typeof value === 'object' ? Object.entries(value) : []);
P.known = value => value !== null && value !== undefined;
P.trials = () => P.list(P.data.result.trials);
P.current = () => P.trials().find(t => t.name === P.trial) || P.trials()[0] || null;
P.seriesOf = trial => (trial && Object.hasOwn(P.data.series, trial.name) ? P.data.series[trial.name] : null);

/* Kept where the browser allows it; a page opened from disk may have no storage. */
P.remember = (key, value) => {
  try {
    localStorage.setItem('plimsoll.' + key, value);
  } catch (e) {
    // Then it is forgotten.
  }
};
P.recall = key => {
  try {
    return localStorage.getItem('plimsoll.' + key);
  } catch (e) {
    return null;
  }
};

/* The language of a file is that it was made in; pages of a server are in the one that was chosen last. */
P.language = (location.protocol.startsWith('http') && P.recall('language')) || P.data.language;

/* Whether what is printed is one page: of the verdict, the figures, the first charts and the limit. */
P.printsOne = () => document.documentElement.dataset.print === 'one';
P.theme = () => document.documentElement.dataset.theme;
P.setTheme = theme => {
  document.documentElement.dataset.theme = theme;
};
P.color = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
