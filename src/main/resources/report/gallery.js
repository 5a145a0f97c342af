/* The gallery page: publishable trials of many bundles with their rank, and rejected trials with the reason. */
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

Gallery.small = texts => texts.filter(Boolean).map(text => P.el('small', {}, text));
Gallery.columns = () => [
  {
    name: P.t('trials.trial'), head: true, value: r => r.row.trial,
    text: r => [P.el('a', {href: encodeURIComponent(r.page)}, r.row.labels.scenario === r.row.trial ? r.row.trial : r.row.labels.scenario + ' / ' + r.row.trial),
      Gallery.small([r.bundle, r.notes])],
  },
  Tables.number(P.t('gallery.records'), r => r.row.recordsPerSecond, F.rate),
  Tables.number(P.t('gallery.bytes'), r => r.row.bytesPerSecond, F.megabytes),
  Tables.number('p50', r => r.row.p50, F.micros),
  Tables.number('p99', r => r.row.p99, F.micros),
  Tables.text(P.t('gallery.system'), r => r.row.labels.system, r => [
    r.row.labels.system || F.none, Gallery.small([r.row.labels.kafka && P.t('gallery.kafka') + ' ' + r.row.labels.kafka, r.row.labels.hardware])]),
  Tables.text(P.t('gallery.durability'), r => P.said(r.row.durability)),
];
Gallery.ranked = () => [Tables.number(P.t('gallery.rank'), r => r.rank, F.count), ...Gallery.columns(), {
  name: P.t('gallery.evidence'), plain: true, value: () => '',
  text: r => P.list(r.row.conditions).filter(c => /^(complete|audit)$/.test(c.name)).map(c => P.el('div', {}, P.said(c.said))),
}].map((column, i) => Object.assign({}, column, {head: i === 1}));
Gallery.refused = () => [...Gallery.columns().slice(0, -1), {
  name: P.t('gallery.reason'), plain: true, value: () => '',
  text: r => P.list(r.row.conditions).filter(c => !c.holds).map(c => P.el('div', {}, '✗ ' + P.said(c.said))),
}];

/* Ranks trials with the same scenario and name by throughput, or by p99 if their throughput is equal within 1 %. */
Gallery.rank = rows => {
  const group = r => r.row.labels.scenario + '\n' + r.row.trial;
  const rate = r => r.row.recordsPerSecond || 0;
  const sorted = [...rows].sort((a, b) => Tables.order(group(a), group(b), true) || rate(b) - rate(a));
  // Equal to the best trial of a class, and not to the next one: otherwise the order would depend on the input.
  const best = new Map();
  let last = null;
  for (const r of sorted) {
    last = last && group(last) === group(r) && rate(r) >= 0.99 * rate(last) ? last : r;
    best.set(r, last);
  }
  sorted.sort((a, b) => Tables.order(group(a), group(b), true) || rate(best.get(b)) - rate(best.get(a)) || Tables.order(a.row.p99, b.row.p99, true));
  sorted.forEach((r, i) => {
    r.rank = i > 0 && group(sorted[i - 1]) === group(r) ? sorted[i - 1].rank + 1 : 1;
  });
  return sorted;
};

Gallery.render = () => {
  Controls.texts();
  const shown = P.data.rows.filter(Gallery.matches);
  const good = Gallery.rank(shown.filter(r => r.publishable));
  const refused = shown.filter(r => !r.publishable);
  const section = (id, ...content) => P.el('section', {id}, ...content);
  document.getElementById('main').replaceChildren(
    section('gallery', P.el('h1', {}, P.t('gallery.title')), P.el('p', {class: 'note'}, P.t('gallery.lead') + ' ' + P.t('gallery.latency')),
      P.el('p', {class: 'chooser'}, Gallery.filters.map(Gallery.chooser)),
      good.length === 0 ? P.el('p', {class: 'note'}, P.t('gallery.none'))
        : Tables.make(Gallery.ranked(), good, {caption: P.t('gallery.caption', good.length), sortable: true, class: 'gallery cards'})),
    ...(refused.length === 0 ? [] : [section('refused', P.el('h2', {}, P.t('gallery.refused')), P.el('p', {class: 'note'}, P.t('gallery.refusedLead')),
      Tables.make(Gallery.refused(), refused, {caption: P.t('gallery.caption', refused.length), sortable: true, class: 'gallery cards'}))]),
    ...(P.data.damaged.length === 0 ? [] : [section('damaged', P.el('h2', {}, P.t('gallery.damaged')), Tables.make([
      {name: P.t('gallery.file'), value: r => r.bundle, head: true}, Tables.text(P.t('gallery.reason'), r => P.said(r.reason)),
    ], P.data.damaged, {caption: P.t('gallery.damaged')}))]),
    P.el('p', {class: 'note'}, P.t('gallery.trust')));
  Controls.shown();
};

Controls.start({theme: () => {}, language: Gallery.render});
Gallery.render();
