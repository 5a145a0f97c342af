/* Trials of many bundles: those that can be published by throughput, the others with the reason. */
const Gallery = {filters: ['system', 'kafka', 'hardware'], chosen: {}};

Gallery.label = (row, filter) => row.row.labels[filter] ?? F.none;
Gallery.matches = row => Gallery.filters.every(f => !Gallery.chosen[f] || Gallery.label(row, f) === Gallery.chosen[f]);

Gallery.chooser = filter => {
  const values = [...new Set(P.data.rows.map(row => Gallery.label(row, filter)))].sort();
  return P.el('label', {}, P.t('gallery.' + filter) + ' ', P.el('select', {
    id: 'by-' + filter,
    onchange: event => {
      Gallery.chosen[filter] = event.target.value;
      Gallery.render();
      document.getElementById('by-' + filter).focus();
    },
  }, P.el('option', {value: ''}, P.t('gallery.all')),
  values.map(v => P.el('option', {value: v, selected: v === Gallery.chosen[filter] || null}, v))));
};

Gallery.trial = {
  name: '', head: true, value: r => r.row.trial,
  text: r => [P.el('a', {href: encodeURIComponent(r.page)}, r.row.labels.scenario === r.row.trial ? r.row.trial : r.row.labels.scenario + ' / ' + r.row.trial),
    P.el('small', {}, r.bundle), r.notes && P.el('small', {}, r.notes)].filter(Boolean),
};
Gallery.columns = () => [
  Object.assign({}, Gallery.trial, {name: P.t('trials.trial')}),
  ...Gallery.filters.map(f => Tables.text(P.t('gallery.' + f), r => r.row.labels[f])),
  Tables.number(P.t('gallery.records'), r => r.row.recordsPerSecond, F.rate),
  Tables.number(P.t('gallery.bytes'), r => r.row.bytesPerSecond, F.megabytes),
  Tables.number('p50', r => r.row.p50, F.micros),
  Tables.number('p99', r => r.row.p99, F.micros),
];
Gallery.evidence = (row, holds) => P.el('ul', {class: 'evidence'}, P.list(row.row.conditions).filter(c => c.holds === holds)
  .map(c => P.el('li', {}, P.said(c.said))));

Gallery.render = () => {
  Controls.texts();
  const shown = P.data.rows.filter(Gallery.matches);
  const good = shown.filter(r => r.publishable).sort((a, b) => Tables.order(a.row.recordsPerSecond, b.row.recordsPerSecond, false));
  const refused = shown.filter(r => !r.publishable);
  const section = (id, ...content) => P.el('section', {id}, ...content);
  document.getElementById('main').replaceChildren(
    section('gallery', P.el('h1', {}, P.t('gallery.title')), P.el('p', {class: 'note'}, P.t('gallery.lead') + ' ' + P.t('gallery.latency')),
      P.el('p', {class: 'chooser'}, Gallery.filters.map(Gallery.chooser)),
      good.length === 0 ? P.el('p', {class: 'note'}, P.t('gallery.none')) : Tables.make([
        Tables.number(P.t('gallery.rank'), r => good.indexOf(r) + 1, F.count),
        ...Gallery.columns(),
        Tables.text(P.t('gallery.durability'), r => P.said(r.row.durability)),
        {name: P.t('gallery.evidence'), text: r => Gallery.evidence(r, true), value: () => '', plain: true},
      ].map((c, i) => Object.assign({}, c, {head: i === 1})), good, {caption: P.t('gallery.caption', good.length), sortable: true, class: 'cards'})),
    ...(refused.length === 0 ? [] : [section('refused', P.el('h2', {}, P.t('gallery.refused')), P.el('p', {class: 'note'}, P.t('gallery.refusedLead')),
      Tables.make([...Gallery.columns(), {name: P.t('gallery.reason'), text: r => Gallery.evidence(r, false), value: () => '', plain: true}], refused,
        {caption: P.t('gallery.caption', refused.length), sortable: true, class: 'cards'}))]),
    ...(P.data.damaged.length === 0 ? [] : [section('damaged', P.el('h2', {}, P.t('gallery.damaged')), Tables.make([
      {name: P.t('gallery.file'), value: r => r.bundle, head: true}, Tables.text(P.t('gallery.reason'), r => P.said(r.reason)),
    ], P.data.damaged, {caption: P.t('gallery.damaged')}))]),
    P.el('p', {class: 'note'}, P.t('gallery.trust')));
  Controls.shown();
};

Controls.start({theme: () => {}, language: Gallery.render});
Gallery.render();
