/* Accessible tables with a caption, header scopes, and columns that can be sorted by value. */
const Tables = {};

/*
 * columns: [{name, value: row => sort key, text: row => text or element, number, head, plain: not sortable,
 *   mark: row => class}]
 * options: {caption, sortable, kept: an object that keeps the order between renderings, chosen: row => boolean, class}
 * On narrow screens, a table of the class cards shows each row as a card.
 * Returns a box. If the table is too wide, Tables.fit splits its columns into several tables, one below the other.
 */
Tables.make = (columns, rows, options = {}) => {
  const box = P.el('div', {class: 'scroll', tabindex: '0', role: 'group', 'aria-label': options.caption});
  const headed = columns.map((column, i) => Object.assign({head: i === 0}, column));
  box.of = {columns: headed, rows, options, order: (rows.length > 1 && options.kept && options.kept.order) || null};
  box.of.buttons = options.caption && rows.length > 0 ? [Export.tableButtons(columns, rows, options)] : [];
  Tables.show(box, [columns.map((column, i) => i)], null);
  return box;
};

/* Shows the columns of each band as a table; without bands, shows the only row as pairs of name and value. */
Tables.show = (box, bands, widths) => {
  const {columns, rows, options, order, buttons} = box.of;
  const narrow = P.narrow();
  const layout = JSON.stringify([bands, widths, order, narrow]);
  if (box.of.layout === layout) return;
  Object.assign(box.of, {layout, bands, widths});
  const sorted = order ? [...rows].sort((a, b) => Tables.order(columns[order[0]].value(a), columns[order[0]].value(b), order[1])) : rows;
  const kind = [options.class, columns.length > 10 && 'many', widths && 'fitted'].filter(Boolean).join(' ');
  const caption = options.caption && P.el('caption', {}, options.caption);
  const tables = bands.map((band, n) => P.el('table', {class: kind || null, 'aria-label': n > 0 && options.caption}, n === 0 && caption,
    P.el('thead', {}, P.el('tr', {}, band.map(i => Tables.head(box, i)))),
    P.el('tbody', {}, sorted.map(row => Tables.row(band.map(i => columns[i]), row, options)))));
  const pairs = (some, n) => P.el('table', {class: 'facts', 'aria-label': n > 0 && options.caption}, n === 0 && caption, P.el('tbody', {}, some.map(column =>
    P.el('tr', {}, P.el('th', {scope: 'row'}, column.name), P.el('td', {}, Tables.cell(column, rows[0]))))));
  // With more than eight columns, phones initially show only six.
  const all = bands.length > 0 ? tables : columns.length > 8 ? [columns.slice(0, 6), columns.slice(6)].map(pairs) : [pairs(columns, 0)];
  const fold = narrow && all.length > 1 && (bands.length === 0 || rows.length * (all.length - 1) > 5);
  box.replaceChildren(...(fold ? [all[0], P.more(P.t('table.more'), options.caption, all.slice(1))] : all), ...buttons);
};

Tables.head = (box, i) => {
  const {columns, rows, options, order, widths} = box.of;
  const column = columns[i];
  const ascending = order && order[0] === i ? order[1] : null;
  const sort = event => {
    const at = [...box.querySelectorAll('thead button')].indexOf(event.target);
    box.of.order = [i, !ascending];
    if (options.kept) options.kept.order = box.of.order;
    Tables.show(box, box.of.bands, widths);
    box.querySelectorAll('thead button')[at].focus({preventScroll: true});
  };
  return P.el('th', {
    scope: 'col', class: column.number ? 'n' : null, style: widths ? {width: widths[i] + 'px'} : null,
    'aria-sort': ascending === null ? null : ascending ? 'ascending' : 'descending',
  }, options.sortable && !column.plain && rows.length > 1 ? P.el('button', {type: 'button', onclick: sort}, column.name) : column.name);
};

/* Fits each table to its box, or to the width of paper in pixels. Hidden tables are fitted when they are opened. */
Tables.fit = paper => {
  const boxes = [...document.querySelectorAll('.scroll')].filter(box => box.of && box.of.rows.length > 0 && box.clientWidth > 0);
  Tables.measure(boxes.filter(box => !box.of.most));
  boxes.forEach(box => Tables.lay(box, paper || box.clientWidth));
};

/* Measures the minimum and maximum width of each column. All boxes are measured together to cause few layouts. */
Tables.measure = boxes => {
  for (const [key, width] of [['least', 'min-content'], ['most', 'max-content']]) {
    boxes.forEach(box => box.firstChild.style.setProperty('width', width));
    boxes.forEach(box => {
      box.of[key] = [...box.querySelectorAll('thead th')].map(th => Math.ceil(th.getBoundingClientRect().width));
    });
  }
  boxes.forEach(box => box.firstChild.style.removeProperty('width'));
};

/* Numbers never wrap, and texts have a readable width. If a table is split, each part repeats the head columns. */
Tables.lay = (box, room) => {
  const {columns, rows, options, least, most} = box.of;
  const narrow = room < 560;
  if (narrow && /\bcards\b/.test(options.class)) {
    Tables.show(box, [columns.map((column, i) => i)], null);
    return;
  }
  const all = columns.map((column, i) => i);
  const sum = (band, of) => band.reduce((total, i) => total + of[i], 0);
  const wanted = columns.map((column, i) => (column.number ? least[i] : Math.max(least[i], Math.min(most[i], narrow ? 120 : 180))));
  const heads = all.filter(i => columns[i].head);
  const named = wanted.map((width, i) => Math.min(width, columns[i].head ? Math.floor(0.55 * room / heads.length) : room));
  const widths = named.map((width, i) => Math.min(width, columns[i].head ? room : room - sum(heads, named)));
  const deal = limit => all.filter(i => !columns[i].head).reduce((bands, i) => {
    const last = bands[bands.length - 1];
    if (last && sum(last, widths) + widths[i] <= limit) last.push(i);
    else bands.push([...heads, i]);
    return bands;
  }, []);
  if (sum(all, wanted) <= room) Tables.show(box, [all], null);
  else if (narrow && rows.length === 1 && sum(all, widths) > room) Tables.show(box, [], null);
  else {
    // Balances the widths of the bands.
    const {length} = deal(room);
    let limit = sum(all, widths) / length;
    while (deal(limit).length > length) limit = Math.min(room, limit + 10);
    Tables.show(box, deal(limit), widths);
  }
};

/* Unknown values come last in both directions. */
Tables.order = (a, b, ascending) => {
  if (!P.known(a) || !P.known(b)) return P.known(a) ? -1 : P.known(b) ? 1 : 0;
  const difference = typeof a === 'number' && typeof b === 'number'
    ? a - b
    : String(a).localeCompare(String(b), undefined, {numeric: true});
  return ascending ? difference : -difference;
};

Tables.cell = (column, row) => {
  const shown = column.text ? column.text(row) : column.value(row);
  return P.known(shown) && shown !== '' ? shown : F.none;
};

Tables.row = (columns, row, options) => P.el('tr', {class: options.chosen && options.chosen(row) ? 'chosen' : null}, columns.map(column => {
  const kind = [column.number && 'n', column.mark && column.mark(row)].filter(Boolean).join(' ');
  return P.el(column.head ? 'th' : 'td', {scope: column.head ? 'row' : null, class: kind || null, 'data-name': column.name}, Tables.cell(column, row));
}));

/* A table with formatted cells. options.mark: row => class of the difference. options.more: columns to append. */
Tables.grid = (grid, options = {}) => Tables.make(grid.columns.map((head, i) => ({
  name: P.label(head), number: head.number, value: row => row.values[i] ?? P.said(row.cells[i]),
  text: row => (options.mark && head.label.en === 'difference'
    ? P.el('span', {class: options.mark(row)}, P.said(row.cells[i]))
    : P.said(row.cells[i])),
})).concat(options.more || []), grid.rows, options);
Tables.rows = grid => P.list(grid && grid.rows).length;

Tables.text = (name, value, text) => ({name, value, text});
Tables.number = (name, value, format) => ({name, value, text: row => format(value(row)), number: true});

/* A table with one pair of name and value per row. label: the accessible name if no caption is shown. */
Tables.facts = (caption, pairs, label = caption) => P.el('div', {class: 'scroll', tabindex: '0', role: 'group', 'aria-label': label},
  P.el('table', {class: 'facts'},
    caption && P.el('caption', {}, caption),
    P.el('tbody', {}, pairs.filter(pair => P.known(pair[1]) && pair[1] !== '').map(([name, value]) =>
      P.el('tr', {}, P.el('th', {scope: 'row'}, name), P.el('td', {}, value))))));

/* Appearance of each outcome of a run: panel class, badge class, sign. */
Tables.outcomes = {usable: ['passed', 'good', '✓ '], unusable: ['unsure', 'warn', '! '], failed: ['failed', 'bad', '✗ ']};
Tables.check = passed => P.el('span', {class: 'badge ' + (passed ? 'good' : 'bad')},
  (passed ? '✓ ' : '✗ ') + P.t(passed ? 'check.passed' : 'check.failed'));

/* Widths change with the window and when details are opened. Paper is narrower, with smaller text. */
window.addEventListener('resize', () => Tables.fit());
document.addEventListener('toggle', () => Tables.fit(), true);
window.addEventListener('beforeprint', () => {
  if (!P.printsOne()) document.querySelectorAll('details.more').forEach(details => details.setAttribute('open', ''));
  Tables.fit(P.printsOne() ? Infinity : 780);
});
window.addEventListener('afterprint', () => Tables.fit());
