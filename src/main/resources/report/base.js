'use strict';
/* Page data, texts in the selected language, and DOM helpers that create elements from text, never from markup. */
const P = {
  data: JSON.parse(document.getElementById('data').textContent),
  charts: [],
  language: 'en',
  trial: null,
};

/* Returns the text of a key, with {0}, {1}, … replaced; an unknown key is returned as is. */
P.t = (key, ...values) => {
  const text = P.data.texts[P.language][key];
  return (text === undefined ? key : text).replace(/\{(\d)\}/g, (all, n) => (n in values ? String(values[n]) : all));
};

/* Returns the label of a figure in the selected language, or else in English. */
P.label = figure => figure.label[P.language] || figure.label.en;

/* Returns a text of the run in the selected language; a plain string, such as a name, is returned unchanged. */
P.said = text => (text && typeof text === 'object' ? text[P.language] || text.en : text);

/* Returns the translation of an enumerated value, or the value itself if it has no translation. */
P.term = (group, value) => {
  const key = group + String(value).replace(/\W+/g, '_');
  return Object.hasOwn(P.data.texts[P.language], key) ? P.t(key) : value;
};

/* Creates an element: el('p', {class: 'note'}, 'text', child, …). Children that are not nodes become text nodes. */
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

/* On narrow screens (up to 860 px), such as phones, rarely needed content is folded behind its title. */
P.narrow = () => document.documentElement.clientWidth <= 860;
P.folded = (title, ...content) => (P.narrow() ? [P.more(title, title, content)] : [P.el('h3', {}, title), ...content]);

/* Returns a <details> element. Its open state is kept under a unique key when the page is rendered again. */
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

/* Stores a preference if the browser allows it; a page opened from disk may have no storage. */
P.remember = (key, value) => {
  try {
    localStorage.setItem('plimsoll.' + key, value);
  } catch (e) {
    // Without storage, the preference is lost when the page is closed.
  }
};
P.recall = key => {
  try {
    return localStorage.getItem('plimsoll.' + key);
  } catch (e) {
    return null;
  }
};

/* A report file has the language that it was generated in. A served page has the last selected language, if any. */
P.language = (location.protocol.startsWith('http') && P.recall('language')) || P.data.language;

/* Returns whether the page is printed as a one-page summary: verdict, figures, first charts and limit. */
P.printsOne = () => document.documentElement.dataset.print === 'one';
P.theme = () => document.documentElement.dataset.theme;
P.setTheme = theme => {
  document.documentElement.dataset.theme = theme;
};
P.color = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
