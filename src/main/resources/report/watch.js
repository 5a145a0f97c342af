/* The page of a watch: whether all is well, each signal of each broker, the last days, outages, the audit. */
const Watch = {refreshMillis: 5000, all: -1, silent: false, signalsTable: {}};

Watch.section = (id, title, ...children) => P.el('section', {id, 'aria-labelledby': id + '-title'},
  P.el('h2', {id: id + '-title'}, title), children);

Watch.share = F.or(share => {
  const missing = 1 - share;
  const digits = missing <= 0 ? 0 : Math.max(1, Math.min(4, 1 - Math.floor(Math.log10(missing * 100))));
  return F.decimals(share * 100, digits) + ' %';
});
Watch.window = (s, name) => (s.windows[name] || {}).availability;
Watch.broker = id => (id === Watch.all ? P.t('watch.all') : P.t('watch.broker', id));
Watch.signal = id => P.t('watch.signal.' + id);
Watch.grade = (share, objective) => (!P.known(share) ? '' : share >= objective ? 'good' : 'bad');

Watch.verdict = w => {
  const open = w.outages.filter(o => !P.known(o.to));
  const audit = w.place.audit;
  const clean = audit.lost + audit.duplicated + audit.disordered === 0;
  return P.el('section', {id: 'verdict'}, P.el('h1', {}, P.t('watch.of', w.place.clusterId)),
    P.el('div', {class: 'panel sentence' + (open.length > 0 || !clean ? ' failed' : Watch.silent ? ' unsure' : '')},
      P.el('p', {}, Watch.silent && [P.el('span', {class: 'badge warn'}, P.t('watch.silent')), ' '],
        P.el('span', {class: 'badge ' + (open.length === 0 ? 'good' : 'bad')}, P.t(open.length === 0 ? 'watch.well' : 'watch.out', open.length)), ' ',
        P.el('span', {class: 'badge ' + (clean ? 'good' : 'bad')}, P.t(clean ? 'watch.clean' : 'watch.dirty'))),
      P.el('p', {class: 'note'}, P.t('watch.since', F.time(w.since), F.time(w.at), Watch.share(w.objective)))));
};

Watch.table = w => Tables.make([
  {name: P.t('watch.what'), value: s => s.signal, text: s => Watch.signal(s.signal), head: true},
  Tables.text(P.t('watch.where'), s => s.broker, s => Watch.broker(s.broker)),
  ...['5m', '1h', '1d', '30d'].map(name => ({
    name, number: true, value: s => Watch.window(s, name),
    text: s => P.el('span', {class: 'badge ' + Watch.grade(Watch.window(s, name), w.objective)}, Watch.share(Watch.window(s, name))),
  })),
  Tables.number(P.t('watch.burn'), s => (s.windows['1h'] || {}).burnRate, F.or(b => F.short(b) + '×')),
  Tables.number('p50', s => s.recent.p50, F.millis),
  Tables.number('p99', s => s.recent.p99, F.millis),
  Tables.number('p99.9', s => s.recent.p999, F.millis),
  Tables.number(P.t('watch.day99'), s => s.day.p99, F.millis),
], w.signals, {caption: P.t('watch.caption'), sortable: true, kept: Watch.signalsTable});

/* One bar a day, the newest on the right. */
Watch.days = (s, w) => {
  const text = (share, i) => P.t('watch.day', s.days.length - 1 - i, Watch.share(share));
  return P.svg('svg', {viewBox: '0 0 ' + s.days.length * 10 + ' 24', class: 'days', role: 'img', 'aria-label': s.days.map(text).slice(-1)[0]},
    s.days.map((share, i) => P.svg('rect', {x: i * 10 + 1, y: 0, width: 8, height: 24, rx: 2, class: P.known(share) ? Watch.grade(share, w.objective) : 'none'},
      P.svg('title', {}, text(share, i)))));
};

Watch.outages = w => Tables.make([
  Tables.text(P.t('watch.from'), o => o.from, o => new Date(o.from).toISOString().slice(0, 21).replace('T', ' ') + ' UTC'),
  Tables.number(P.t('watch.length'), o => (Date.parse(P.known(o.to) ? o.to : w.at) - Date.parse(o.from)) / 1e3, F.seconds),
  Tables.text(P.t('watch.what'), o => o.signal, o => Watch.signal(o.signal)),
  Tables.text(P.t('watch.where'), o => o.broker, o => Watch.broker(o.broker)),
  Tables.text(P.t('watch.error'), o => o.error || '', o => o.error || '–'),
  Tables.text(P.t('watch.state'), o => String(o.to), o => P.el('span', {class: 'badge ' + (P.known(o.to) ? '' : 'bad')}, P.t(P.known(o.to) ? 'watch.over' : 'watch.goesOn'))),
], [...w.outages].reverse(), {caption: P.t('watch.outages'), sortable: true});

Watch.render = () => {
  Controls.texts();
  const w = P.data.watch;
  document.title = P.t('watch.of', w.place.clusterId) + ' · Plimsoll';
  const audit = w.place.audit;
  const together = w.signals.filter(s => s.broker === Watch.all);
  const sections = [
    Watch.verdict(w),
    Watch.section('signals', P.t('watch.signals'), Watch.table(w)),
    Watch.section('days', P.t('watch.days'), Tables.facts(null, together.map(s => [Watch.signal(s.signal), Watch.days(s, w)]), P.t('watch.days'))),
    Watch.section('outages', P.t('watch.outages'), w.outages.length > 0 ? Watch.outages(w) : P.el('p', {class: 'note'}, P.t('watch.none'))),
    Watch.section('audit', P.t('watch.audit'), Tables.facts(null,
      ['acknowledged', 'confirmed', 'waiting', 'lost', 'duplicated', 'disordered', 'unknown', 'foreign'].map(name => [P.t('watch.audit.' + name), F.count(audit[name])])
        .concat([[P.t('watch.stood'), F.seconds(w.place.stoodSeconds)]]), P.t('watch.audit'))),
  ];
  // Who goes through the page by keys stays where they are.
  const main = document.getElementById('main');
  const stops = () => [...main.querySelectorAll('button, [tabindex]')];
  const at = stops().indexOf(document.activeElement);
  main.replaceChildren(...sections);
  if (at >= 0 && stops()[at]) stops()[at].focus({preventScroll: true});
  document.getElementById('contents').replaceChildren(...sections.filter(s => s.querySelector('h2')).map(s =>
    P.el('a', {href: '#' + s.id}, s.querySelector('h2').textContent)));
  document.documentElement.dataset.ready = String(Number(document.documentElement.dataset.ready || 0) + 1);
};

/* A watch that has ended leaves its last page, which says so. */
Watch.look = () => fetch('/status.json' + location.search, {cache: 'no-store'})
  .then(answer => (answer.ok ? answer.json() : Promise.reject(answer.status)))
  .then(status => {
    P.data.watch = status;
    Watch.silent = false;
  })
  .catch(() => {
    Watch.silent = true;
  })
  .then(Watch.render)
  .finally(() => setTimeout(Watch.look, Watch.refreshMillis));

Controls.start({theme: () => {}, language: Watch.render});
Watch.render();
setTimeout(Watch.look, Watch.refreshMillis);
