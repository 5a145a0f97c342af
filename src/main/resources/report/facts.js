/* Sections of the report about the cluster, the audit and the environment. */

Sections.skew = () => {
  const trial = P.current();
  const section = Sections.make('skew', Sections.lead('skew.lead'));
  const partitions = P.list((trial || {}).partitions);
  const charts = [];
  if (partitions.length > 0) {
    const topics = new Set(partitions.map(p => p.topic));
    const names = partitions.map(p => (topics.size > 1 ? p.topic + '-' : '') + p.partition);
    const linesOf = rows => [['skew.produced', 'produced', 'c1'], ['skew.consumed', 'consumed', 'c4']]
      .map(([key, of, color]) => ({name: P.t(key), color, values: rows.map(row => row[of])}))
      .filter(l => l.values.some(v => v > 0));
    const lines = linesOf(partitions);
    if (lines.length > 0) charts.push(Figures.bars('partitions', P.t('skew.partitions'), P.t('skew.records'), names, lines, F.count));
    // Sums of all partitions, because the list of partitions can be shortened.
    const leaders = P.list(trial.leaders);
    const led = linesOf(leaders);
    if (led.length > 0) {
      const brokers = leaders.map(l => (l.leader < 0 ? P.t('skew.noLeader') : P.t('time.broker', l.leader)));
      charts.push(Figures.bars('leaders', P.t('skew.leaders'), P.t('skew.records'), brokers, led, F.count));
    }
  }
  section.append(charts.length > 0 ? P.el('div', {class: 'charts'}, charts) : Sections.nothing('skew.none'));
  if (partitions.length > 0) section.append(Sections.partitionTable(trial, partitions));
  return section;
};

Sections.partitionTable = (trial, partitions) => {
  const left = trial.partitionsLeft > 0 ? ' ' + P.t('skew.left', F.count(trial.partitionsLeft)) : '';
  const details = P.el('details', {class: 'data'}, P.el('summary', {}, P.t('skew.table')));
  details.addEventListener('toggle', () => {
    if (details.children.length > 1) return;
    details.append(Tables.make([
      Tables.text(P.t('skew.partition'), p => p.topic + '-' + p.partition),
      Tables.number(P.t('skew.leader'), p => p.leader, id => (id < 0 ? P.t('skew.noLeader') : F.count(id))),
      Tables.number(P.t('skew.produced'), p => p.produced, F.count),
      Tables.number(P.t('skew.producedRate'), p => p.producedPerSecond, F.perSecond),
      Tables.number(P.t('skew.consumed'), p => p.consumed, F.count),
      Tables.number(P.t('skew.consumedRate'), p => p.consumedPerSecond, F.perSecond),
    ], partitions, {caption: P.t('skew.partitions') + '.' + left, sortable: true}));
  });
  return details;
};

Sections.requests = () => {
  const section = Sections.make('requests', Sections.lead('requests.lead'));
  const brokers = P.list((P.current() || {}).brokers);
  const known = times => times && Figures.stages().some(([stage]) => times[stage] > 0);
  const kinds = [['requests.produce', b => b], ['requests.fetch', b => b.fetch], ['requests.follower', b => b.follower]];
  let any = false;
  for (const [key, times] of kinds) {
    const rows = brokers.filter(b => known(times(b))).map(b => ({name: P.t('time.broker', b.id), times: times(b)}));
    if (rows.length > 0) {
      if (!any) section.append(Figures.stageKeys());
      any = true;
      section.append(P.el('h3', {}, P.t(key)), Figures.waterfall(rows));
    }
  }
  if (!any) section.append(Sections.nothing('requests.none'));
  const {grids} = P.current() || {};
  if (grids && Tables.rows(grids.brokers) > 0) {
    section.append(P.el('h3', {}, P.t('requests.brokers')), Tables.grid(grids.brokers, {caption: P.t('requests.caption'), sortable: true}));
  }
  if (grids && grids.topics && Tables.rows(grids.topics) > 0) {
    section.append(P.el('h3', {}, P.t('requests.topics')), Tables.grid(grids.topics, {caption: P.t('requests.topics'), sortable: true}));
  }
  if (grids && Tables.rows(grids.foreign) > 0) {
    section.append(P.el('h3', {}, P.t('requests.foreign')), Tables.grid(grids.foreign, {caption: P.t('requests.foreign'), sortable: true}));
  }
  return section;
};

/*
 * Times of unusually slow records, with causes; null without any. Initially, the first three are open, or one on narrow
 * screens. A click on a mark in a chart opens another.
 */
Sections.slow = () => {
  const trial = P.current() || {};
  const grid = (trial.grids || {}).slow;
  const moments = P.list(trial.slowMoments);
  if (Tables.rows(grid) === 0) return null;
  const column = label => grid.columns.findIndex(c => c.label.en === label);
  const title = i => ['period', 'stage', 'place'].map(label => P.said(grid.rows[i].cells[column(label)])).join(' · ');
  return Sections.make('slow', Sections.lead('slow.lead'), Tables.grid(grid, {caption: P.t('slow.caption'), sortable: true}),
    moments.map((moment, i) => P.el('details', {class: 'moment', id: 'moment-' + i, 'data-moment': Sections.momentKey(moment), open: i < (P.narrow() ? 1 : 3)}, P.el('summary', {}, title(i)),
      Figures.moment(moment, title(i)), Sections.slowRecords(moment, title(i)))));
};

/* Identifies a moment of a trial, because a live page receives the same moments again with each second. */
Sections.momentKey = moment => [moment.fromSeconds, moment.stage, ...P.list(moment.brokers)].join(' ');

/* Opens a slow moment that was selected in a chart. On a live page, a new moment is not listed yet. */
Sections.showSlow = moment => {
  const details = [...document.querySelectorAll('#slow .moment')].find(d => d.dataset.moment === Sections.momentKey(moment));
  if (!details) return;
  details.open = true;
  details.scrollIntoView();
  details.firstChild.focus({preventScroll: true});
};

/* The slowest records of a moment, with the time of each stage. */
Sections.slowRecords = (moment, title) => Tables.make([
  Tables.text(P.t('slow.record'), Figures.recordOf),
  Tables.number(P.t('slow.broker'), b => b.broker || 0, broker => (broker < 0 ? F.none : String(broker))),
  Tables.number(P.t('slow.due'), b => b.fromNanos / 1e9, s => F.decimals(s, 3) + ' s'),
  Tables.number(P.t('slow.latency'), b => Figures.sumOf(b) / 1e3, F.micros),
  ...Figures.momentStages(moment).map(stage => Tables.number(Figures.stageOf(stage), b => (P.known(b.stages[stage]) ? b.stages[stage] / 1e3 : null), F.micros)),
], moment.worst, {caption: P.t('slow.records', title), sortable: true});

/* Figures by label and consumer group; null without any. */
Sections.labels = () => {
  const {grids} = P.current() || {};
  return grids && Tables.rows(grids.labels) > 0
    ? Sections.make('labels', Sections.lead('labels.lead'), Tables.grid(grids.labels, {caption: P.t('workers.caption'), sortable: true}))
    : null;
};

/* Figures of each agent of a fleet; null if one process generated the load. */
Sections.workers = () => {
  const {grids} = P.current() || {};
  return grids && Tables.rows(grids.workers) > 0
    ? Sections.make('workers', Sections.lead('workers.lead'), Tables.grid(grids.workers, {caption: P.t('workers.caption'), sortable: true}))
    : null;
};

Sections.audit = () => {
  const audited = P.trials().filter(t => t.audit);
  const section = Sections.make('audit', Sections.lead('audit.lead'));
  if (audited.length === 0) {
    section.append(Sections.nothing('audit.none'));
    return section;
  }
  const number = key => Tables.number(P.t('audit.' + key), t => t.audit[key], F.count);
  const wrong = key => Tables.number(P.t('audit.' + key), t => Sections.wrong(t.audit, key), F.count);
  section.append(Tables.make([
    Tables.text(P.t('trials.trial'), t => t.name),
    Tables.text(P.t('audit.verdict'), t => t.audit.lost, t => Sections.auditWord(t.audit)),
    ...['acknowledged', 'read'].map(number),
    ...['lost', 'duplicated', 'reordered', 'corrupted'].map(wrong),
    ...['phantom', 'unknown'].map(number),
    Tables.text(P.t('audit.method'), t => P.term('report.method.', t.audit.method)),
  ], audited, {caption: P.t('audit.caption'), sortable: true}));
  const findings = audited.flatMap(t => P.list(t.audit.findings).map(f => (audited.length > 1 ? t.name + P.t('mark.colon') : '') + P.said(f)));
  if (findings.length > 0) section.append(P.el('ul', {class: 'plain'}, findings.map(f => P.el('li', {}, f))));
  const anomalies = audited.flatMap(t => P.list(t.audit.anomalies).map(a => ({a, trial: t.name})));
  if (anomalies.length > 0) {
    const range = (from, to) => (P.known(from) ? from + (to !== from ? ' – ' + to : '') : F.none);
    section.append(P.el('h3', {}, P.t('audit.anomalies')), Tables.make([
      Tables.text(P.t('audit.what'), r => P.term('result.found.', r.a.verdict)),
      Tables.number(P.t('audit.records'), r => r.a.records, F.count),
      Tables.text(P.t('skew.partition'), r => r.a.topic && r.a.topic + '-' + r.a.partition),
      Tables.text(P.t('audit.offsets'), r => range(r.a.firstOffset, r.a.lastOffset)),
      Tables.text(P.t('audit.producer'), r => r.a.producer),
      Tables.text(P.t('audit.sequences'), r => range(r.a.firstSequence, r.a.lastSequence)),
      Tables.text(P.t('audit.at'), r => r.a.at, r => F.time(r.a.at)),
      Tables.text(P.t('audit.fault'), r => P.said(r.a.fault)),
    ], anomalies, {caption: P.t('audit.anomalies'), sortable: true}));
    const left = audited.reduce((sum, t) => sum + (t.audit.anomaliesLeft || 0), 0);
    if (left > 0) section.append(P.el('p', {class: 'note'}, P.t('audit.left', F.count(left))));
  }
  return section;
};

/* Returns the number of errors of producers and consumers; null if neither number is known. */
Sections.errors = trial => [trial.produce, trial.consume].map(part => ((part || {}).errors || {}).total).filter(P.known)
  .reduce((sum, n) => sum + n, null);

/* Returns the limits and the host utilization of each ceiling, or of each trial if the result has no ceilings. */
Sections.causes = () => (P.list(P.data.result.ceilings).length > 0
  ? P.data.result.ceilings.map(c => ({of: F.parameters(c.parameters), cause: Object.assign({bounds: c.bounds}, c.cause)}))
  : P.trials().map(t => ({of: P.trials().length > 1 ? t.name : '', cause: Sections.ofLimits(t.limits)})))
  .filter(c => c.cause.limit || Sections.telling(c.cause.bounds).length > 0);

/* Returns the most likely cause of a trial in the format of a ceiling's cause; no cause below a score of 0.3. */
Sections.ofLimits = limits => {
  const all = P.list(limits && limits.causes);
  const named = all.length > 0 && all[0].score >= 0.3;
  return Object.assign({}, named ? all[0] : {}, {
    stages: limits && limits.stages,
    bounds: limits && limits.bounds,
    others: all.slice(named ? 1 : 0).filter(o => o.score >= 0.15).map(o => ({limit: P.said(o.limit) + (o.where ? P.t('mark.comma') + P.said(o.where) : ''), evidence: P.list(o.evidence).map(P.said).join(' · ')})),
  });
};

/* Returns the host resources that the load uses to at least 1 % of their capacity, the highest share first. */
Sections.telling = all => P.list(all).filter(b => b.share >= 0.01).sort((a, b) => b.share - a.share);
Sections.bounds = all => {
  const bounds = Sections.telling(all);
  return bounds.length > 0 && [P.el('p', {class: 'note'}, P.t('cause.bounds')), P.el('ul', {class: 'plain bounds'}, bounds.map(b => P.el('li', {},
    P.t('bound.' + b.resource, F.percent(b.share), F.byteRate(b.usedBytesPerSecond), F.byteRate(b.limitBytesPerSecond), F.byteRate(b.allowsBytesPerSecond)))))];
};

Sections.cause = () => {
  const causes = Sections.causes();
  if (causes.length === 0) return null;
  // With more than three causes, each is folded into one line.
  const folded = causes.length > 3;
  return Sections.make('cause', Sections.lead('cause.lead'), causes.map(({of, cause}) => {
    const named = cause.limit ? P.said(cause.limit) + (cause.where ? ' · ' + P.said(cause.where) : '') : P.t('cause.nothing');
    const title = [(of ? of + P.t('mark.colon') : '') + named, ' ', cause.limit
      && P.el('span', {class: 'badge ' + (cause.proved ? 'good' : '')}, P.t(cause.proved ? 'cause.proved' : 'cause.likely'))];
    return folded
      ? P.el('details', {class: 'panel'}, P.el('summary', {}, title), Sections.reasons(cause))
      : P.el('div', {class: 'panel'}, P.el('h3', {style: {'margin-top': 0}}, title), Sections.reasons(cause));
  }));
};

Sections.reasons = cause => [
  cause.sentence && P.el('p', {}, P.said(cause.sentence) + (cause.proof ? ' ' + P.said(cause.proof) : '')),
  P.list(cause.evidence).length + P.list(cause.probes).length > 0 && P.el('ul', {class: 'plain'},
    P.list(cause.evidence).concat(P.list(cause.probes).map(p => p.sentence)).map(e => P.el('li', {}, P.said(e)))),
  P.list(cause.stages).length > 0 && P.el('p', {class: 'note'}, P.t('cause.stages') + ' '
    + cause.stages.filter(stage => stage.share >= 0.0005).map(stage => P.said(stage.name) + ' ' + F.millis(stage.ms) + ' (' + F.percent(stage.share) + ')').join(' · ')),
  Sections.bounds(cause.bounds),
  P.list(cause.others).length > 0 && [P.el('p', {class: 'note'}, P.t('cause.others')),
    P.el('ul', {class: 'plain'}, P.list(cause.others).map(o => P.el('li', {}, P.said(o.limit) + P.t('mark.colon') + P.said(o.evidence))))]];

/*
 * Flattens nested facts into pairs of name and value, such as "Network 2 · speed". key: the path, such as
 * networks.bitsPerSecond. name: its label.
 */
Sections.flat = (value, key, name) => {
  if (Array.isArray(value)) return value.flatMap((v, i) => Sections.flat(v, key, value.length > 1 ? name + ' ' + (i + 1) : name));
  if (value && typeof value === 'object') {
    return P.entries(value).flatMap(([k, v]) => {
      const of = key ? key + '.' + k : k;
      const word = P.data.texts[P.language]['host.' + of] || k;
      return Sections.flat(v, of, P.known(P.data.texts[P.language]['host.' + key]) ? name + ' · ' + word : word);
    });
  }
  if (typeof value === 'number') {
    if (/bitsPerSecond$/.test(key)) return [[name, F.decimals(value / 1e9, 1) + ' Gbit/s']];
    if (/bytes$/i.test(key)) return [[name, F.bytes(value)]];
    return [[name, /hertz$/i.test(key) ? F.decimals(value / 1e9, 2) + ' GHz' : Number.isInteger(value) && value < 1e4 ? String(value) : F.short(value)]];
  }
  // In a result, unknown values are described in English.
  if (/^(.* )?not (reported|visible)\b/.test(value)) return [[name, P.t('host.unknown')]];
  return [[name, P.known(value) ? P.term('host.value.', value) : null]];
};

Sections.environment = () => {
  const r = P.data.result;
  const environment = r.environment || {};
  const cluster = environment.cluster || {};
  const tool = r.tool || {};
  const section = Sections.make('environment', Sections.lead('environment.lead'));
  section.append(Tables.facts(P.t('environment.versions'), [
    ['Plimsoll', [tool.version, tool.commit && tool.commit !== 'unknown' ? '(' + tool.commit + ')' : ''].filter(Boolean).join(' ')],
    [P.t('environment.client'), tool.kafkaClientVersion],
    ['Java', tool.java],
    [P.t('environment.kafka'), cluster.kafkaVersion],
    [P.t('environment.cluster'), cluster.id],
    [P.t('environment.started'), P.known(cluster.lab) ? P.t(cluster.lab ? 'environment.lab' : 'environment.given') : null],
  ]));
  if (P.list(cluster.brokers).length > 0) {
    section.append(...P.folded(P.t('environment.brokers'), Tables.make([
      Tables.text('id', b => b.id),
      Tables.text(P.t('environment.address'), b => b.host + ':' + b.port),
      Tables.text(P.t('environment.rack'), b => b.rack),
    ], cluster.brokers, {caption: P.t('environment.brokers')})));
  }
  const host = Sections.flat(environment.host || {}, '', '').filter(pair => P.known(pair[1]));
  const half = Math.ceil(host.length / 2);
  const {sources} = P.data.grids || {};
  if (Tables.rows(sources) > 0) {
    section.append(...P.folded(P.t('environment.sources'), Tables.grid(sources, {caption: P.t('environment.sources')})));
  }
  if (host.length > 0) section.append(...P.folded(P.t('environment.host'), P.el('div', {class: 'two'}, [host.slice(0, half), host.slice(half)].map(some => Tables.facts(null, some, P.t('environment.host'))))));
  const settings = new Map();
  for (const t of P.trials()) {
    for (const [part, config] of P.entries(t.setup)) {
      for (const [key, value] of P.entries(config)) {
        const id = JSON.stringify([part, key, value]);
        if (!settings.has(id)) settings.set(id, {part, key, value, trials: []});
        settings.get(id).trials.push(t.name);
      }
    }
  }
  // Imported results, and runs before their first trial, have no settings.
  if (settings.size > 0) section.append(...P.folded(P.t('environment.settings'), Tables.make([
    Tables.text(P.t('environment.part'), s => s.part),
    Tables.text(P.t('environment.setting'), s => s.key, s => P.el('code', {}, s.key)),
    Tables.text(P.t('environment.value'), s => s.value, s => P.el('code', {}, s.value)),
    P.trials().length > 1 && Tables.text(P.t('environment.where'), s => s.trials.length,
      s => (s.trials.length === P.trials().length ? P.t('environment.all') : s.trials.slice(0, 4).join(', ') + (s.trials.length > 4 ? ', …' : ''))),
  ].filter(Boolean), [...settings.values()], {caption: P.t('environment.settings'), sortable: true})));
  return section;
};

Sections.reproduce = () => Sections.make('reproduce', Sections.lead('reproduce.lead'),
  P.el('pre', {tabindex: '0', 'aria-label': P.t('reproduce.command')}, P.el('code', {}, P.data.command || F.none)),
  P.el('p', {}, P.known(P.data.result.seed) && [P.t('reproduce.seed') + ': ', P.el('code', {}, P.data.result.seed)],
    P.data.result.scale && P.data.result.scale !== 1 ? ' · ' + P.t('reproduce.scale') + ': ' + P.data.result.scale : ''),
  P.data.scenario && P.el('details', {id: 'scenario', open: P.data.scenario.length < 1500 && !P.narrow()},
    P.el('summary', {}, P.t('reproduce.scenario')),
    P.el('pre', {tabindex: '0', 'aria-label': P.t('reproduce.scenario')}, P.el('code', {}, P.data.scenario))));

Sections.printOne = () => {
  document.documentElement.dataset.print = 'one';
  window.print();
  delete document.documentElement.dataset.print;
};

Sections.download = () => (P.data.resultGzip ? P.el('section', {id: 'download', 'aria-label': P.t('download.title')},
  P.el('button', {type: 'button', class: 'main', onclick: () => Sections.save()}, P.t('download.title')), ' ',
  P.el('button', {type: 'button', id: 'one-page', onclick: Sections.printOne}, P.t('download.onePage')),
  P.el('p', {class: 'note', style: {'margin-top': '.5rem'}}, P.t('download.note'))) : null);

/* Returns the whole result.json, as written by the run. */
Sections.json = () => {
  const bytes = Uint8Array.from(atob(P.data.resultGzip), c => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
};
Sections.save = async () => {
  const url = URL.createObjectURL(new Blob([await Sections.json()], {type: 'application/json'}));
  P.el('a', {href: url, download: 'result.json'}).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
};
