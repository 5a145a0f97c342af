/* The page of a watch: verdict, signals by broker, the last hour and days, outages, slow moments, and audit. */
const Watch = {refreshMillis: 5000, all: -1, silent: false, signalsTable: {}};

Watch.section = (id, title, ...children) => P.el('section', {id, 'aria-labelledby': id + '-title'},
  P.el('h2', {id: id + '-title'}, title), children);

Watch.share = F.or(share => {
  const missing = 1 - share;
  const digits = missing <= 0 ? 0 : Math.max(1, Math.min(4, 1 - Math.floor(Math.log10(missing * 100))));
  // Rounded down, so that a single failure is not shown as 100 %.
  return F.decimals(Math.floor(share * 100 * 10 ** digits + 1e-6) / 10 ** digits, digits) + ' %';
});
Watch.window = (s, name) => (s.windows[name] || {}).availability;
Watch.broker = id => (id === Watch.all ? P.t('watch.all') : P.t('watch.broker', id));
Watch.signal = id => P.t('watch.signal.' + id);
Watch.grade = (share, objective) => (!P.known(share) ? '' : share >= objective ? 'good' : 'bad');

Watch.goal = w => F.number(w.objective * 100, 0, 4) + ' %';
Watch.windows = [['5m', 5], ['1h', 60], ['1d', 1440], ['30d', 43200]];
/* Returns the windows to show. A longer window adds nothing until the watch has lasted longer than the previous one. */
Watch.shown = w => {
  const minutes = (Date.parse(w.at) - Date.parse(w.since)) / 60e3;
  return Watch.windows.filter((window, i) => i === 0 || minutes > Watch.windows[i - 1][1]).map(window => window[0]);
};
/* With a single broker, the rows for all brokers together would repeat its rows, so they are omitted. */
Watch.rows = w => {
  const one = new Set(w.signals.map(s => s.broker)).size === 2;
  return w.signals.filter(s => !one || s.broker !== Watch.all);
};
Watch.missed = (w, names) => Watch.rows(w).flatMap(s => names.filter(name => Watch.window(s, name) < w.objective).slice(0, 1)
  .map(name => ({s, name, share: Watch.window(s, name)}))).sort((x, y) => x.share - y.share);
Watch.incident = i => (P.known(i.broker) ? P.t('watch.down', i.broker)
  : P.t('watch.someOut', [...new Set(i.outages.map(o => Watch.signal(o.signal)))].join(', ')));

/* Current outages, missed objectives, and the result of the audit. */
Watch.verdict = w => {
  const open = P.list(w.incidents).filter(i => i.outages.some(o => !P.known(o.to)));
  const audit = w.place.audit;
  const clean = audit.lost + audit.duplicated + audit.disordered === 0;
  const blind = audit.acknowledged > 0 && audit.confirmed + audit.lost + audit.unknown === 0;
  const shown = Watch.shown(w);
  const lately = Watch.missed(w, shown.slice(0, 2));
  const missed = lately.concat(Watch.missed(w, shown.slice(2))).filter((m, i, all) => all.findIndex(o => o.s === m.s) === i);
  const failed = open.length > 0 || !clean || lately.length > 0;
  const badge = (kind, text) => P.el('span', {class: 'badge ' + kind}, text);
  const said = m => P.t('watch.missed', Watch.signal(m.s.signal), Watch.broker(m.s.broker), Watch.share(m.share), m.name);
  return P.el('section', {id: 'verdict'}, P.el('h1', {}, P.t('watch.of', w.place.clusterId)),
    P.el('div', {class: 'panel sentence' + (failed ? ' failed' : Watch.silent || missed.length > 0 || blind ? ' unsure' : '')},
      P.el('div', {}, P.el('p', {}, Watch.silent && [badge('warn', P.t('watch.silent')), ' '],
        open.map(i => [badge('bad', P.known(i.broker) && P.known(i.to) ? P.t('watch.rest', i.broker) : Watch.incident(i)), ' ']),
        missed.length > 0 && [badge(lately.length > 0 ? 'bad' : 'warn', P.t('watch.objective', Watch.goal(w))), ' '],
        open.length === 0 && [badge(failed || missed.length > 0 ? '' : 'good', P.t('watch.well')), ' '],
        !clean ? badge('bad', P.t('watch.dirty')) : blind ? badge('warn', P.t('watch.blind')) : badge(failed ? '' : 'good', P.t('watch.clean'))),
      missed.slice(0, 3).map(m => P.el('p', {class: 'note'}, said(m))),
        missed.length > 3 && P.el('p', {class: 'note'}, P.t('watch.more', missed.length - 3)),
        P.el('p', {class: 'note'}, P.t('watch.since', F.time(w.since), F.time(w.at), Watch.goal(w))))));
};

Watch.table = w => Tables.make([
  {name: P.t('watch.what'), value: s => s.signal, text: s => Watch.signal(s.signal), head: true},
  Tables.text(P.t('watch.where'), s => s.broker, s => Watch.broker(s.broker)),
  ...Watch.shown(w).map(name => ({
    name, number: true, value: s => Watch.window(s, name),
    text: s => P.el('span', {class: 'badge ' + Watch.grade(Watch.window(s, name), w.objective)}, Watch.share(Watch.window(s, name))),
  })),
  Tables.number(P.t('watch.burn'), s => (s.windows['1h'] || {}).burnRate, F.or(b => F.short(b) + '×')),
  Tables.number('p50', s => s.recent.p50, F.millis),
  Tables.number('p99', s => s.recent.p99, F.millis),
  Tables.number('p99.9', s => s.recent.p999, F.millis),
  Tables.number(P.t('watch.day99'), s => s.day.p99, F.millis),
], Watch.rows(w), {caption: P.t('watch.caption'), sortable: true, kept: Watch.signalsTable});

Watch.figures = (signals, draw) => P.el('div', {class: 'charts'}, signals.map(s =>
  P.el('figure', {}, P.el('figcaption', {}, P.el('strong', {}, Watch.signal(s.signal))), draw(s))));
Watch.date = time => new Date(time).toISOString().slice(0, 10);
Watch.minute = time => new Date(time).toISOString().slice(11, 16) + ' UTC';

/* One bar per day, the newest on the right, with the dates of the first and last day. */
Watch.days = (s, w) => {
  const date = i => Watch.date(Date.parse(w.at) - (s.days.length - 1 - i) * 864e5);
  const text = (share, i) => P.t('watch.day', date(i), Watch.share(share));
  return P.el('div', {}, P.svg('svg', {viewBox: '0 0 ' + s.days.length * 10 + ' 24', preserveAspectRatio: 'none', class: 'days', role: 'img', 'aria-label': s.days.map(text).slice(-1)[0]},
    s.days.map((share, i) => P.svg('rect', {x: i * 10 + 1, y: 0, width: 8, height: 24, class: P.known(share) ? Watch.grade(share, w.objective) : 'none'},
      P.svg('title', {}, text(share, i))))), Watch.ends(date(0), date(s.days.length - 1)));
};
Watch.ends = (from, to) => P.el('div', {class: 'ends'}, P.el('span', {}, from), P.el('span', {}, to));

/* Availability per minute, from the lowest value or the objective to 100 %. Minutes without attempts are gaps. */
Watch.curve = (s, w) => {
  const known = s.minutes.filter(P.known);
  const low = Math.min(w.objective, ...known);
  const at = share => 3 + 34 * (1 - share) / (1 - low);
  const lines = [[]];
  s.minutes.forEach((share, i) => {
    if (P.known(share)) lines[lines.length - 1].push(i * 10 + 5 + ',' + at(share).toFixed(1));
    else if (lines[lines.length - 1].length > 0) lines.push([]);
  });
  const time = i => Watch.minute(Date.parse(w.at) - (s.minutes.length - 1 - i) * 60e3);
  const worst = known.length > 0 ? s.minutes.indexOf(Math.min(...known)) : -1;
  const said = worst < 0 ? F.none : s.minutes[worst] === 1 ? P.t('watch.noDip') : P.t('watch.lowest', Watch.share(s.minutes[worst]), time(worst));
  return P.el('div', {}, P.svg('svg', {viewBox: '0 0 ' + s.minutes.length * 10 + ' 40', preserveAspectRatio: 'none', class: 'curve', role: 'img', 'aria-label': said},
    P.svg('line', {x1: 0, x2: s.minutes.length * 10, y1: at(w.objective), y2: at(w.objective), class: 'objective'}),
    lines.filter(line => line.length > 0).map(line => P.svg('polyline', {points: (line.length === 1 ? [line[0], line[0].replace(/^\d+/, x => Number(x) + 5)] : line).join(' ')}))),
  Watch.ends(time(0), time(s.minutes.length - 1)), P.el('p', {class: 'note'}, said));
};

Watch.lasted = (o, w) => F.seconds((Date.parse(P.known(o.to) ? o.to : w.at) - Date.parse(o.from)) / 1e3);
/* The signals of an incident, with the brokers and the duration of each outage. */
Watch.parts = (i, w) => {
  const signals = [...new Set(i.outages.map(o => o.signal))];
  return P.el('ul', {class: 'plain'}, signals.map(signal => P.el('li', {}, Watch.signal(signal) + ': ' + i.outages.filter(o => o.signal === signal)
    .map(o => Watch.broker(o.broker) + ' (' + Watch.lasted(o, w) + ')').join(', '))));
};
Watch.outages = w => Tables.make([
  Tables.text(P.t('watch.from'), i => i.from, i => new Date(i.from).toISOString().slice(0, 21).replace('T', ' ') + ' UTC'),
  Tables.text(P.t('watch.what'), i => Watch.incident(i), i => [Watch.incident(i), i.error && P.el('small', {}, i.error)]),
  Tables.number(P.t('watch.length'), i => (Date.parse(P.known(i.to) ? i.to : w.at) - Date.parse(i.from)) / 1e3, F.seconds),
  Tables.text(P.t('watch.state'), i => String(i.to), i => P.el('span', {class: 'badge ' + (P.known(i.to) ? '' : 'bad')}, P.t(P.known(i.to) ? 'watch.over' : 'watch.goesOn'))),
  {name: P.t('watch.with'), plain: true, value: i => i.outages.map(o => Watch.signal(o.signal) + ' ' + Watch.broker(o.broker)).join(', '), text: i => Watch.parts(i, w)},
], [...P.list(w.incidents)].reverse(), {caption: P.t('watch.outages'), sortable: true});

/* Describes the event that explains slow records, with its detail and duration, if known. */
Watch.cause = c => {
  const event = P.t('result.incident.' + c.event, P.term('result.place.', c.where));
  const micros = (c.toSeconds - c.fromSeconds) * 1e6;
  const lasted = micros >= 1 ? F.micros(micros) : null;
  return !c.detail ? (lasted ? P.t('result.incidentLasted', event, lasted) : event)
    : lasted ? P.t('result.incidentOf', event, c.detail, lasted) : P.t('result.incidentAt', event, c.detail);
};
Watch.slow = w => Tables.make([
  Tables.text(P.t('watch.from'), m => m.fromSeconds, m => new Date(Date.parse(w.since) + m.fromSeconds * 1e3).toISOString().slice(0, 21).replace('T', ' ') + ' UTC'),
  Tables.number(P.t('watch.length'), m => m.toSeconds - m.fromSeconds, F.seconds),
  Tables.number(P.t('watch.records'), m => m.records, F.count),
  Tables.number(P.t('watch.worst'), m => m.worstMicros, F.micros),
  Tables.text(P.t('watch.stage'), m => m.stage, m => P.term('report.slowStage.', m.stage)),
  Tables.text(P.t('watch.place'), m => m.brokers.concat(m.partitions).join(' '), m => m.brokers.map(Watch.broker).join(', ') || m.partitions.join(', ')),
  Tables.text(P.t('watch.cause'), m => P.list(m.causes).slice(0, 1).map(Watch.cause).join(''), m => (P.list(m.causes).length > 0 ? Watch.cause(m.causes[0]) : P.t('report.slowUnexplained'))),
], [...P.list(w.slowMoments)].reverse(), {caption: P.t('watch.slow'), sortable: true});

Watch.render = () => {
  Controls.texts();
  const w = P.data.watch;
  document.title = P.t('watch.of', w.place.clusterId) + ' · Plimsoll';
  const audit = w.place.audit;
  const together = w.signals.filter(s => s.broker === Watch.all);
  const sections = [
    Watch.verdict(w),
    Watch.section('signals', P.t('watch.signals'),
      Watch.shown(w).length < Watch.windows.length && P.el('p', {class: 'note'}, P.t('watch.lasts', F.seconds((Date.parse(w.at) - Date.parse(w.since)) / 1e3))), Watch.table(w)),
    Watch.section('hour', P.t('watch.hour'), Watch.figures(together, s => Watch.curve(s, w))),
    Watch.section('days', P.t('watch.days'), Watch.figures(together, s => Watch.days(s, w))),
    Watch.section('outages', P.t('watch.outages'), P.list(w.incidents).length > 0 ? Watch.outages(w) : P.el('p', {class: 'note'}, P.t('watch.none'))),
    Watch.section('slow', P.t('watch.slow'), P.list(w.slowMoments).length > 0 ? Watch.slow(w) : P.el('p', {class: 'note'}, P.t('watch.none'))),
    Watch.section('audit', P.t('watch.audit'), Tables.facts(null,
      ['acknowledged', 'there', 'waiting', 'lost', 'unknown', 'lostAfterRead', 'duplicated', 'disordered', 'foreign'].map(name => [P.t('watch.audit.' + name), F.count(name === 'there' ? Math.max(0, audit.confirmed - audit.lostAfterRead) : audit[name])])
        .concat([[P.t('watch.stood'), F.seconds(w.place.stoodSeconds)]]), P.t('watch.audit'))),
  ];
  // The keyboard focus stays at the same element.
  const main = document.getElementById('main');
  const stops = () => [...main.querySelectorAll('button, [tabindex]')];
  const at = stops().indexOf(document.activeElement);
  main.replaceChildren(...sections);
  if (at >= 0 && stops()[at]) stops()[at].focus({preventScroll: true});
  document.getElementById('contents').replaceChildren(...sections.filter(s => s.querySelector('h2')).map(s =>
    P.el('a', {href: '#' + s.id}, s.querySelector('h2').textContent)));
  Controls.shown();
};

/* Refreshes the page. If the watch does not respond, the page keeps its last state and shows a warning. */
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
