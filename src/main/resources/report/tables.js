/* Real tables: a caption, headers with a scope, columns that sort by value where that helps. */
const Tables = {};

/*
 * columns: [{name, value: row => what to sort by, text: row => text or element, number, head, plain: not to sort by}]
 * options: {caption, sortable, kept: where the order is kept from one making to the next, chosen: row => boolean, class}
 */
Tables.make = (columns, rows, options = {}) => {
  const body = P.el('tbody');
  const heads = columns.map((column, i) => {
    const label = options.sortable && !column.plain && rows.length > 1
      ? P.el('button', {type: 'button', onclick: () => sort(i, heads[i].getAttribute('aria-sort') !== 'ascending')}, column.name)
      : column.name;
    return P.el('th', {scope: 'col', class: column.number ? 'n' : null}, label);
  });
  const show = sorted => body.replaceChildren(...sorted.map(row => Tables.row(columns, row, options)));
  const sort = (i, ascending) => {
    if (options.kept) options.kept.order = [i, ascending];
    heads.forEach(h => h.removeAttribute('aria-sort'));
    heads[i].setAttribute('aria-sort', ascending ? 'ascending' : 'descending');
    show([...rows].sort((a, b) => Tables.order(columns[i].value(a), columns[i].value(b), ascending)));
  };
  show(rows);
  if (options.kept && options.kept.order && rows.length > 1) sort(...options.kept.order);
  return P.el('div', {class: 'scroll', tabindex: '0', role: 'group', 'aria-label': options.caption},
    P.el('table', {class: options.class},
      options.caption && P.el('caption', {}, options.caption),
      P.el('thead', {}, P.el('tr', {}, heads)),
      body),
    options.caption && rows.length > 0 && Export.tableButtons(columns, rows, options.caption));
};

/* What is unknown comes last either way. */
Tables.order = (a, b, ascending) => {
  if (!P.known(a) || !P.known(b)) return P.known(a) ? -1 : P.known(b) ? 1 : 0;
  const difference = typeof a === 'number' && typeof b === 'number'
    ? a - b
    : String(a).localeCompare(String(b), undefined, {numeric: true});
  return ascending ? difference : -difference;
};

Tables.row = (columns, row, options) => P.el('tr', {class: options.chosen && options.chosen(row) ? 'chosen' : null},
  columns.map((column, i) => {
    const shown = column.text ? column.text(row) : column.value(row);
    const text = P.known(shown) && shown !== '' ? shown : F.none;
    return column.head || (i === 0 && column.head !== false)
      ? P.el('th', {scope: 'row', class: column.number ? 'n' : null}, text)
      : P.el('td', {class: column.number ? 'n' : null}, text);
  }));

/* A table that comes in words; options.mark: row => class of a figure's difference, options.more: columns behind it. */
Tables.grid = (grid, options = {}) => Tables.make(grid.columns.map((head, i) => ({
  name: P.label(head), number: head.number, value: row => row.values[i] ?? P.said(row.cells[i]),
  text: row => (options.mark && head.label.en === 'difference'
    ? P.el('span', {class: options.mark(row)}, P.said(row.cells[i]))
    : P.said(row.cells[i])),
})).concat(options.more || []), grid.rows, options);
Tables.rows = grid => P.list(grid && grid.rows).length;

Tables.text = (name, value, text) => ({name, value, text});
Tables.number = (name, value, format) => ({name, value, text: row => format(value(row)), number: true});

/* Names and values, one pair a row; the label is what it is called where no caption is shown. */
Tables.facts = (caption, pairs, label = caption) => P.el('div', {class: 'scroll', tabindex: '0', role: 'group', 'aria-label': label},
  P.el('table', {class: 'facts'},
    caption && P.el('caption', {}, caption),
    P.el('tbody', {}, pairs.filter(pair => P.known(pair[1]) && pair[1] !== '').map(([name, value]) =>
      P.el('tr', {}, P.el('th', {scope: 'row'}, name), P.el('td', {}, value))))));

Tables.check = passed => P.el('span', {class: 'badge ' + (passed ? 'good' : 'bad')},
  (passed ? '✓ ' : '✗ ') + P.t(passed ? 'check.passed' : 'check.failed'));
