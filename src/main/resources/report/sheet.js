/* The page of a release sheet: improvements and regressions of each side, then one table per scenario. */
const Sheet = {signs: {better: ['good', '✓ '], worse: ['bad', '✗ ']}};

Sheet.finding = f => {
  const [kind, sign] = Sheet.signs[f.outcome];
  return P.el('li', {}, P.el('span', {class: 'badge ' + kind}, sign + P.t('compare.' + f.outcome)), ' ', P.said(f.text));
};

Sheet.versus = v => [
  P.el('h3', {}, v.name), P.el('p', {}, P.said(v.summary)),
  v.findings.length === 0 ? P.el('p', {class: 'note'}, P.t('sheet.nothing')) : P.el('ul', {class: 'findings'}, v.findings.map(Sheet.finding)),
];

/* Columns: trial, figure, value of the first side, then one cell per further side, colored by its outcome. */
Sheet.table = s => Tables.make(s.grid.columns.map((head, i) => ({
  name: P.label(head), number: i > 1, head: i === 0, value: row => row.values[i] ?? P.said(row.cells[i]),
  text: row => {
    const outcome = s.outcomes[s.grid.rows.indexOf(row)][i - 2];
    return P.el('span', {class: i > 2 && Sheet.signs[outcome] ? Sheet.signs[outcome][0] : null}, P.said(row.cells[i]));
  },
})), s.grid.rows, {caption: s.name, class: 'named gallery cards'});

Sheet.render = () => {
  Controls.texts();
  const sheet = P.data.sheet;
  const section = (id, title, ...content) => P.el('section', {id, 'aria-labelledby': id + '-title'}, P.el('h2', {id: id + '-title'}, title), content);
  document.getElementById('main').replaceChildren(
    P.el('section', {id: 'sheet'}, P.el('h1', {}, P.said(sheet.title))),
    section('findings', P.t('sheet.findings'), sheet.versus.map(Sheet.versus)),
    ...sheet.sections.map(s => section(s.name, s.name, P.el('p', {class: 'note'}, P.said(s.about)), Sheet.table(s))));
  document.getElementById('contents').replaceChildren(...['findings', ...sheet.sections.map(s => s.name)]
    .map(id => P.el('a', {href: '#' + id}, id === 'findings' ? P.t('sheet.findings') : id)));
  document.getElementById('footer').replaceChildren(...sheet.notes.map(note => P.el('p', {}, P.said(note))));
  Controls.shown();
};

Controls.start({theme: () => {}, language: Sheet.render});
Sheet.render();
