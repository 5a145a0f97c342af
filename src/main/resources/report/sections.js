/* Sections of the report about the load. */
const Sections = {};

Sections.make = (id, ...content) => P.el('section', {id, 'aria-labelledby': id + '-title'},
  P.el('h2', {id: id + '-title'}, P.t(id + '.title')), content);
Sections.lead = key => P.el('p', {class: 'lead'}, P.t(key));

/* Returns whether the run has not ended: on its live page, or on the page that lists the runs. */
Sections.isRunning = () => (P.data.live || P.data.running) && !P.data.result.endedAt;

Sections.verdict = () => {
  const r = P.data.result;
  const v = r.verdict || {};
  const running = Sections.isRunning();
  const state = running ? 'running' : r.outcome;
  const [look, badge, sign] = {running: ['running', '', '… '], ...Tables.outcomes}[state];
  const known = ['3', '4', '5', '6', '7', '130'].includes(String(r.exitCode));
  const word = r.outcome === 'usable' || running ? 'verdict.' + state : known ? 'verdict.exit.' + r.exitCode : P.known(r.exitCode) ? 'verdict.failed' : 'verdict.cut';
  const exit = P.known(r.exitCode) ? ' · ' + P.t('verdict.exit', r.exitCode) : '';
  const when = P.t(r.endedAt ? 'verdict.when' : !running ? 'verdict.killed' : r.startedAt ? 'verdict.since' : 'verdict.running', F.time(r.startedAt), F.time(r.endedAt));
  // During a run, the warnings would only report that it has not ended.
  const warnings = running ? [] : P.list(v.warnings);
  const shown = warnings.slice(0, 3);
  const more = warnings.slice(3).concat(running ? [] : P.list(v.notes));
  const items = list => P.el('ul', {class: 'warnings'}, list.map(w => P.el('li', {}, P.said(w))));
  return P.el('section', {id: 'verdict', 'aria-label': P.t('verdict.title')},
    P.el('h1', {}, r.name || P.t('page.untitled')),
    P.el('p', {class: 'when'}, when + exit),
    P.el('div', {class: 'panel sentence ' + look},
      P.el('span', {class: 'badge ' + badge}, sign + P.t(word)),
      P.el('p', {}, running ? P.t('verdict.soFar') : P.said(v.sentence) || F.none)),
    shown.length > 0 && items(shown),
    more.length > 0 && P.el('details', {}, P.el('summary', {}, P.t('verdict.more', more.length)), items(more)));
};

Sections.tile = (name, value, small, bad) => value === F.none ? null
  : P.el('div', {class: 'tile' + (bad ? ' bad' : '')}, P.el('dt', {}, name), P.el('dd', {}, P.el('b', {}, value), small && P.el('small', {}, small)));

/* Marks a throughput that is a lower bound, because the load generator or its host was the limit. */
Sections.throughput = (trial, text) => (trial.throughputIsLowerBound && text !== F.none ? '≥ ' + text : text);

Sections.key = () => {
  const trial = P.current();
  const section = Sections.make('key');
  const tiles = P.list(P.data.result.ceilings).length > 0 ? Sections.ceilingTiles() : trial ? Sections.trialTiles(trial) : [];
  const some = tiles.filter(Boolean);
  section.append(some.length > 0 ? P.el('dl', {class: 'tiles'}, some) : Sections.nothing('key.none'));
  if (trial && P.trials().length > 1 && P.list(P.data.result.ceilings).length === 0) {
    section.insertBefore(Sections.chooser(), section.lastChild);
  }
  return section;
};
Sections.nothing = key => P.el('p', {class: 'note'}, P.t(key));

Sections.ceilingTiles = () => P.data.result.ceilings.slice(0, 6).flatMap(c => {
  const of = F.parameters(c.parameters);
  const bound = (b, key) => b && [
    Sections.tile(P.t(key + '.passed') + (of ? ' · ' + of : ''), F.perSecond(b.lowerRecordsPerSecond), F.byteRate(b.lowerBytesPerSecond)),
    Sections.tile(P.t(key + '.failed') + (of ? ' · ' + of : ''), F.perSecond(b.upperRecordsPerSecond), F.byteRate(b.upperBytesPerSecond)),
  ];
  return [bound(c.withinSlo, 'ceiling.slo'), bound(c.sustained, 'ceiling.sustained')].flat();
}).concat(P.data.result.ceilings.length === 1 && P.known((P.data.result.ceilings[0].withinSlo || P.data.result.ceilings[0].sustained || {}).lowerRecordsPerSecond) ? Sections.atBound() : []);

/* Response times of the trial at the lower bound. */
Sections.atBound = () => {
  const trial = P.trials().find(t => t.name === Main.firstTrial());
  const response = (trial && trial.produce && trial.produce.responseTime) || {};
  return ['p50', 'p99'].map(key => Sections.tile(P.t('key.there', key), F.micros(response[key]), trial && trial.name));
};

/* The measured time, and the preceding warm-up. */
Sections.measuredTile = trial => {
  const {until, ended} = trial.warmup || {};
  const after = until === 'none' ? 'key.afterCold' : !(trial.warmupSeconds > 0) ? null : ended === 'steady' ? 'key.afterSteady' : 'key.after';
  return Sections.tile(P.t('key.measured'), F.seconds(trial.measuredSeconds), after && P.t(after, F.seconds(trial.warmupSeconds)));
};

/* Figures of a cold start, if the trial has any. */
Sections.isCold = column => column.id.startsWith('cold.');
Sections.coldTiles = trial => P.list(P.data.columns).filter(c => Sections.isCold(c) && P.known((trial.columns || {})[c.id]))
  .map(c => Sections.tile(P.t('key.cold', P.label(c)), F.column(trial.columns[c.id], c.unit)));

Sections.trialTiles = trial => {
  const p = trial.produce;
  const c = trial.consume;
  const audit = trial.audit;
  const t = P.t;
  const tiles = [];
  const response = (p && p.responseTime) || {};
  if (p) {
    tiles.push(
      Sections.tile(t('key.throughput'), Sections.throughput(trial, F.byteRate(p.bytesPerSecond)), Sections.throughput(trial, F.perSecond(p.recordsPerSecond))),
      Sections.tile(t('key.response', 'p99'), F.micros(response.p99)));
  }
  if (c) {
    if (!p) tiles.push(Sections.tile(t('key.delivered'), F.byteRate(c.bytesPerSecond), F.perSecond(c.recordsPerSecond)));
    tiles.push(Sections.tile(t('key.endToEnd'), Sections.orLess(c.endToEnd || {}, 'p99', Sections.clockError(trial))));
  }
  if (audit) {
    tiles.push(Sections.tile(t('key.lost'), Sections.wrong(audit, 'lost') === null ? t('key.cannotTell') : F.count(audit.lost),
      t('key.of', F.count(audit.acknowledged)), audit.lost > 0));
  }
  const errors = Sections.errors(trial);
  if (P.known(errors)) tiles.push(Sections.tile(t('key.errors'), F.count(errors), null, errors > 0));
  if (p) {
    tiles.push(
      Sections.tile(t('key.offered'), p.closedLoop ? t('key.unlimited') : F.perSecond(p.offeredRecordsPerSecond)),
      Sections.tile(t('key.response', 'p50'), F.micros(response.p50)),
      Sections.tile(t('key.response', 'p99.9'), F.micros(response['p99.9'])),
      Sections.tile(t('key.response', P.term('stat.', 'max')), F.micros(response.max)));
  }
  if (P.known(trial.measuredSeconds)) tiles.push(Sections.measuredTile(trial), ...Sections.coldTiles(trial));
  return tiles;
};

Sections.chooser = () => {
  const select = P.el('select', {'aria-label': P.t('trials.choose'), onchange: event => Main.choose(event.target.value)},
    P.trials().map(t => P.el('option', {value: t.name, selected: t.name === (P.current() || {}).name}, t.name)));
  return P.el('div', {class: 'chooser'}, P.el('span', {class: 'note', style: {margin: 0}}, P.t('trials.shown')), select);
};

Sections.ceiling = () => {
  const ceilings = P.list(P.data.result.ceilings);
  if (ceilings.length === 0) return null;
  const section = Sections.make('ceiling', Sections.lead('ceiling.lead'));
  ceilings.forEach((c, i) => {
    const of = F.parameters(c.parameters);
    if (of) section.append(P.el('h3', {}, of));
    const rows = [['ceiling.sustained', c.sustained], ['ceiling.slo', c.withinSlo]].filter(row => row[1]);
    section.append(Tables.make([
      Tables.text(P.t('ceiling.what'), r => P.t(r[0]), r => [P.t(r[0]), r[0] === 'ceiling.slo' && c.slo ? P.el('small', {}, c.slo) : null]
        .filter(Boolean).reduce((node, part) => P.add(node, [part]), P.el('span'))),
      Tables.number(P.t('ceiling.lower'), r => r[1].lowerRecordsPerSecond, F.perSecond),
      Tables.number(P.t('ceiling.bytes'), r => r[1].lowerBytesPerSecond, F.byteRate),
      Tables.number(P.t('ceiling.upper'), r => r[1].upperRecordsPerSecond, F.perSecond),
      Tables.number(P.t('ceiling.bytes'), r => r[1].upperBytesPerSecond, F.byteRate),
      Tables.number(P.t('ceiling.trials'), r => r[1].trials, F.count),
    ], rows, {caption: P.t('ceiling.end.' + c.end) + (c.confirmed ? ' · ' + P.t('ceiling.confirmed') : '')
      + (c.irregular ? ' · ' + P.t('ceiling.irregular') : '') + (c.generatorLimited ? ' · ' + P.t('ceiling.generatorLimited') : '')}));
    if (P.list(c.curve).length > 0) section.append(P.el('div', {class: 'charts', style: {'margin-top': '.9rem'}}, Figures.curve(c, 'curve-' + i)));
    if (P.list(c.remarks).length > 0) section.append(P.el('ul', {class: 'plain'}, c.remarks.map(remark => P.el('li', {}, P.said(remark)))));
  });
  return section;
};

// Only a complete audit proves a count of zero. Otherwise, the count is unknown (null).
Sections.wrong = (audit, figure) => (audit[figure] > 0 || audit.complete ? audit[figure] : null);

Sections.auditWord = a => {
  if (!a) return F.none;
  const bad = a.lost > 0 || a.corrupted > 0 || a.violations > 0;
  return P.el('span', {class: 'badge ' + (bad ? 'bad' : a.complete ? 'good' : 'warn')},
    P.t(bad ? 'audit.violated' : a.complete ? 'audit.ok' : 'audit.incomplete'));
};

Sections.column = c => {
  const column = Tables.number(P.label(c), t => (t.columns || {})[c.id], v => F.column(v, c.unit));
  return c.id.startsWith('produce.throughput ') ? Object.assign(column, {text: t => Sections.throughput(t, F.column(column.value(t), c.unit))}) : column;
};

Sections.trials = () => {
  const trials = P.trials();
  const section = Sections.make('trials', Sections.lead('trials.lead'));
  if (trials.length === 0) {
    section.append(Sections.nothing('trials.none'));
    return section;
  }
  const running = Sections.isRunning();
  const marks = t => running ? [] : [t.complete === false && 'trials.partial', t.valid === false && 'trials.invalid', t.steady === false && P.list(t.faults).length === 0 && 'trials.unsteady']
    .filter(Boolean).map(key => P.el('span', {class: 'badge warn'}, P.t(key)));
  const columns = [
    Tables.text(P.t('trials.trial'), t => t.name, t => P.el('span', {}, trials.length > 1
      ? P.el('button', {type: 'button', title: P.t('trials.choose'), onclick: () => Main.choose(t.name)}, t.name) : t.name, ' ', marks(t))),
    ...P.list(P.data.columns).filter(c => trials.length > 1 || !Sections.isCold(c)).map(Sections.column),
    Tables.number(P.t('trials.errors'), Sections.errors, F.count),
    Tables.text(P.t('trials.audit'), t => (t.audit ? t.audit.lost : null), t => Sections.auditWord(t.audit)),
  ].filter(c => !c.number || trials.some(t => P.known(c.value(t))));
  section.append(Tables.make(columns, trials, {
    caption: P.t('trials.caption'), sortable: true, chosen: t => trials.length > 1 && t.name === (P.current() || {}).name,
  }));
  P.list(P.data.result.tables).forEach(table => section.append(...Sections.reference(table)));
  section.append(...Sections.conclusions(), ...Sections.between());
  section.append(...Sections.matrix(), ...Sections.scaling());
  section.append(...Sections.checks(trials));
  const groups = (P.data.grids || {}).groups;
  if (Tables.rows(groups) > 0) section.append(P.el('div', {id: 'groups'}, P.folded(P.t('trials.groups'), Tables.grid(groups, {caption: P.t('trials.groups'), sortable: true}))));
  return section;
};

/* Matrix of a figure for trials that differ in two or more parameters; colors show the values. */
Sections.matrix = () => {
  const trials = Figures.differing(P.trials().filter(t => P.entries(t.parameters).length > 0));
  const values = key => [...new Set(trials.map(t => t.parameters[key]))];
  const keys = [...new Set(trials.flatMap(t => Object.keys(t.parameters)))].filter(key => values(key).length > 1);
  const figures = P.list(P.data.columns).filter(c => trials.some(t => P.known((t.columns || {})[c.id])));
  if (keys.length < 2 || figures.length === 0 || P.list(P.data.result.ceilings).length > 0) return [];
  const across = keys.reduce((most, key) => (values(key).length >= values(most).length ? key : most));
  const row = t => F.parameters(Object.fromEntries(keys.filter(key => key !== across).map(key => [key, t.parameters[key]])));
  const place = P.el('div');
  const show = figure => place.replaceChildren(Figures.matrix({
    name: P.label(figure), format: v => F.column(v, figure.unit), corner: P.term('matrix.key.', F.parameters({[across]: ''}).replace(/=$/, '')), columns: values(across), rows: [...new Set(trials.map(row))],
    of: (r, c) => trials.filter(t => row(t) === r && t.parameters[across] === c).map(t => (t.columns || {})[figure.id]).filter(P.known),
  }));
  const differs = f => {
    const [least, most] = Time.range(trials.map(t => (t.columns || {})[f.id]).filter(P.known)) || [0, 0];
    return most - least > 0.02 * Math.abs(most);
  };
  const first = Math.max(0, figures.findIndex(differs));
  show(figures[first]);
  return [P.el('h3', {}, P.t('matrix.title')), P.el('div', {class: 'chooser', id: 'matrix'},
    P.el('select', {'aria-label': P.t('matrix.figure'), onchange: event => show(figures[event.target.selectedIndex])}, figures.map((f, i) => P.el('option', i === first ? {selected: ''} : {}, P.label(f))))), place];
};

/* Throughput over a number: a table, and a chart for each number that varies alone. */
Sections.scaling = () => {
  const grid = (P.data.grids || {}).scaling;
  return Tables.rows(grid) === 0 ? [] : [P.el('h3', {}, P.t('scaling.title')),
    Tables.grid(grid, {caption: P.t('scaling.unit'), sortable: true}),
    P.el('div', {class: 'charts', style: {'margin-top': '.9rem'}}, P.list(P.data.scaling).map(Figures.scaling))];
};

/* Table of published figures, with the measured figures below them. */
Sections.reference = table => {
  const quotes = P.list(table.rows).some(row => P.list(table.columns).some((c, i) => c.figure && P.known(P.list(row.published)[i])));
  const columns = P.list(table.columns).map((column, i) => Tables.text(P.said(column.name),
    row => P.list(row.measured)[i] ?? P.said(P.list(row.published)[i]),
    row => P.el('span', {}, column.figure && !quotes ? (P.known(P.list(row.measured)[i]) ? F.short(row.measured[i]) : F.none)
      : P.known(P.list(row.published)[i]) ? P.said(P.list(row.published)[i]) : F.none,
      column.figure && quotes && P.el('small', {}, P.t('reference.measured', P.known(P.list(row.measured)[i]) ? F.short(row.measured[i]) : F.none)))));
  return [P.el('h3', {}, [...(quotes ? [P.t('reference.title')] : []), ...(table.title ? [P.said(table.title)] : [])].join(': ')),
    Tables.make(columns.map((c, i) => Object.assign(c, {head: i === 0})), P.list(table.rows),
      {caption: P.data.result.source ? P.t('reference.caption', P.said(P.data.result.source)) : P.t('reference.plain'), sortable: true}),
    ...P.list(table.notes).map(note => P.el('p', {class: 'lead'}, P.said(note)))];
};

/* Badge for the result of a check between trials; null: undecided. */
Sections.held = holds => P.el('span', {class: 'badge ' + (holds ? 'good' : P.known(holds) ? 'bad' : 'warn')},
  P.t(holds ? 'conclusions.yes' : P.known(holds) ? 'conclusions.no' : 'conclusions.unknown'));

Sections.compared = check => [P.el('code', {}, check.check), ' ', P.known(check.holds)
  ? P.t('conclusions.beside', F.figure(check.left, check.unit), F.figure(check.right, check.unit)) : P.said(check.why)];

/* Table of the report's conclusions, and the comparisons that support them. */
Sections.conclusions = () => {
  const all = P.list(P.data.conclusions);
  return all.length === 0 ? [] : [P.el('h3', {}, P.t('conclusions.title')), Tables.make([
    Tables.text(P.t('conclusions.text'), r => P.said(r.text)),
    Tables.text(P.t('conclusions.holds'), r => (r.holds ? 2 : P.known(r.holds) ? 1 : 0), r => Sections.held(r.holds)),
    Tables.text(P.t('conclusions.measured'), r => P.list(r.evidence).map(P.said).join(' '), r => P.el('span', {}, P.list(r.evidence).map(e => P.el('div', {}, P.said(e))))),
  ], all, {caption: P.t('conclusions.title'), sortable: true})];
};

Sections.between = () => {
  const all = P.list(P.data.result.comparisons);
  return all.length === 0 ? [] : [P.el('h3', {}, P.t('between.title')), Tables.make([
    Tables.text(P.t('check.check'), r => r.check, r => P.el('span', {}, Sections.compared(r))),
    Tables.text(P.t('check.result'), r => (r.holds ? 2 : P.known(r.holds) ? 1 : 0), r => Sections.held(r.holds)),
  ], all, {caption: P.t('between.title'), sortable: true})];
};

Sections.checks = trials => {
  const rows = trials.flatMap(t => P.list(t.checks).map(check => ({check, trial: t.name})));
  if (rows.length === 0) return [];
  const table = Tables.make([
    Tables.text(P.t('check.check'), r => r.check.check, r => P.el('code', {}, r.check.check)),
    Tables.text(P.t('check.result'), r => (r.check.passed ? 1 : 0), r => Tables.check(r.check.passed)),
    {name: P.t('check.measured'), value: r => r.check.measured, text: r => F.figure(r.check.measured, r.check.unit), number: true},
    Tables.text(P.t('trials.trial'), r => r.trial),
  ], rows, {caption: P.t('check.caption', rows.filter(r => r.check.passed).length, rows.length), sortable: true});
  return [P.el('h3', {}, P.t('check.title')), rows.length > 8
    ? P.el('details', {}, P.el('summary', {}, P.t('check.caption', rows.filter(r => r.check.passed).length, rows.length)), table) : table];
};

Sections.brokersOf = series => [...new Set(Object.keys(series.columns).filter(c => c.startsWith('broker ')).map(c => c.split('.')[0]))]
  .sort((a, b) => Number(a.slice(7)) - Number(b.slice(7)));

/* Returns the lines of a figure: the statistics of a distribution, or one line per broker, topic or consumer group. */
Sections.linesOf = (figure, brokers, columns, any) => {
  if (figure.latency) {
    return [['p50', 'q50'], ['p99', 'q99'], ['p99.9', 'q999'], ['max', 'qmax'], ['mean', 'q50']].map(([statistic, color]) =>
      ({name: P.term('stat.', statistic), column: figure.id + '.' + statistic, color, dashed: statistic === 'max'}));
  }
  const suffix = figure.id.slice(figure.id.indexOf('.'));
  const lines = figure.ofEach && figure.ofEach !== 'broker '
    ? columns.filter(c => c.startsWith(figure.ofEach) && c.endsWith(suffix)).map((c, i) => ({name: c.slice(figure.ofEach.length, -suffix.length), column: c, color: 'c' + (1 + i % 7)}))
    : figure.ofEach
    ? brokers.map((b, i) => ({name: P.t('time.broker', b.slice(7)), broker: b.slice(7), column: b + suffix, color: 'c' + (1 + i % 7)}))
    : [{name: P.label(figure), column: figure.id, color: figure.line.color}];
  if (figure.ofEach === 'topic ' && lines.length < 2) return []; // It would repeat the line of all brokers.
  return lines.filter(l => !figure.line.quiet || any(l.column)).map(l => Object.assign(l, {dashed: figure.line.style === 'dashed'}));
};

/* Returns the specifications of all charts over time. */
Sections.charts = series => {
  const brokers = Sections.brokersOf(series);
  const any = name => P.list(series.columns[name]).some(v => v > 0);
  const charts = [
    {id: 'throughput', format: F.perSecond, axis: F.rate},
    {id: 'response', format: F.micros, axis: F.tick, log: true},
    {id: 'service', format: F.micros, axis: F.tick, log: true},
    {id: 'endToEnd', format: F.micros, axis: F.tick, log: true},
    {id: 'endToEndFromAppend', format: F.micros, axis: F.tick, log: true},
    {id: 'errors', format: F.perSecond},
    {id: 'lag', format: F.count, whole: true},
    {id: 'bytesIn', format: F.byteRate},
    {id: 'bytesOut', format: F.byteRate},
    {id: 'stages', format: F.millis, stack: true, lines: Figures.stages().map(([stage, color]) => ({name: P.t('stage.' + stage), column: 'stages.' + stage, color}))},
    {id: 'cpu', format: F.cores},
    {id: 'disk', format: F.byteRate},
    {id: 'diskRead', format: F.byteRate},
    {id: 'gc', format: F.percent},
    {id: 'replicas', format: F.count, whole: true},
  ].map(spec => Object.assign({lines: [], title: P.t('time.' + spec.id + '.title'), unit: P.t('time.' + spec.id + '.unit')}, spec));
  for (const figure of P.list(P.data.figures)) {
    let chart = charts.find(c => c.id === figure.line.chart);
    if (!chart) {
      const key = 'time.' + figure.line.chart;
      const titled = P.t(key + '.title') !== key + '.title';
      chart = {id: figure.line.chart, title: titled ? P.t(key + '.title') : P.label(figure), unit: titled && P.t(key + '.unit'), format: v => F.figure(v, figure.unit), lines: []};
      charts.push(chart);
    }
    const known = chart.lines.filter(l => series.columns[l.column]).length;
    for (const line of Sections.linesOf(figure, brokers, Object.keys(series.columns), any)) {
      // Lines of a broker's host have a longer name and another color than the lines of the broker itself.
      const own = !line.broker || !figure.id.startsWith('broker.host');
      chart.lines.push(own ? line : Object.assign(line, {name: P.label(figure) + ' ' + line.broker, color: 'c' + (1 + (known + brokers.indexOf('broker ' + line.broker)) % 7)}));
    }
  }
  // The charts of all clients by label, with one line per label and group.
  const byLabel = [['produce.throughput', 'throughput'], ['consume.throughput', 'throughput'], ['produce.response.p99', 'response'], ['consume.endToEnd.p99', 'endToEnd'], ['consume.lag', 'lag']];
  for (const [figure, id] of byLabel) {
    const lines = Object.keys(series.columns).filter(c => c.startsWith('label ') && c.endsWith(' ' + figure))
      .map((column, i) => ({name: column.slice(6, -figure.length - 1), column, color: 'c' + (1 + i % 7)}));
    const {format, axis, log, whole} = charts.find(c => c.id === id);
    charts.push({id: 'label-' + figure.replaceAll('.', '-'), title: P.t('time.label.' + figure), unit: P.t('time.' + id + '.unit'), format, axis, log, whole, lines});
  }
  charts.filter(c => ['bytesIn', 'bytesOut', 'messagesIn', 'rejected'].includes(c.id)).forEach(c => Sections.addAll(c, series));
  return charts;
};

/* Adds the sum over brokers as a line, at times when the values of all brokers are known. */
Sections.addAll = (chart, series) => {
  const each = chart.lines.map(l => series.columns[l.column]).filter(Boolean);
  if (each.length < 2) return;
  const values = series.t.map((at, k) => (each.every(c => P.known(c[k])) ? each.reduce((sum, c) => sum + c[k], 0) : null));
  chart.lines.push({name: P.t('time.allBrokers'), values, color: 'c0', dashed: true});
};

Sections.time = () => {
  const trial = P.current();
  const series = P.seriesOf(trial);
  const section = Sections.make('time', Sections.lead('time.lead'));
  if (!series || series.t.length === 0) {
    section.append(Sections.nothing('time.none'));
    return section;
  }
  if (P.trials().length > 1) section.append(Sections.chooser());
  const charts = Sections.charts(series).map(spec => Time.figure(trial, series, spec)).filter(Boolean);
  section.append(
    P.el('div', {class: 'pointed'}, P.el('p', {class: 'when-cursor', id: 'time-cursor', 'aria-live': 'polite'}, Time.hint()), Time.whole()),
    P.el('div', {class: 'charts'}, P.narrow() ? charts.slice(0, 4) : charts));
  if (P.narrow() && charts.length > 4) section.append(...P.folded(P.t('time.more', charts.length - 4), P.el('div', {class: 'charts'}, charts.slice(4))));
  const columns = chart => P.list(P.data.figures).filter(f => f.line.chart === chart).map(f => series.columns[f.id]).filter(Boolean);
  const quiet = ['errors', 'lag'].filter(chart => columns(chart).length > 0 && !columns(chart).some(c => c.some(v => v > 0)))
    .map(chart => P.t('time.never.' + chart));
  if (quiet.length > 0) section.append(P.el('p', {class: 'note', style: {'margin-top': '.6rem'}}, quiet.join(' ')));
  if (series.secondsPerStretch > 1) section.append(P.el('p', {class: 'note'}, P.t('time.sampled', series.secondsPerStretch)));
  return section;
};

Sections.faults = () => {
  const {faults, rebalances} = P.data.grids || {};
  if (Tables.rows(faults) === 0) return null;
  const section = Sections.make('faults', Sections.lead('faults.lead'), Tables.grid(faults, {caption: P.t('faults.title')}));
  if (Tables.rows(rebalances) > 0) {
    section.append(P.el('h3', {}, P.t('rebalances.title')), Sections.silences(rebalances), Tables.grid(rebalances, {caption: P.t('rebalances.lead'), sortable: true}));
  }
  return section;
};

/* A bar for each rebalance with the longest silence, and over it the median in another color. */
Sections.silences = grid => {
  const at = label => grid.columns.findIndex(c => c.label.en === label);
  const [longest, median, trial] = [at('longest silence'), at('median silence'), at('trial')];
  const most = Math.max(...grid.rows.map(r => r.values[longest] || 0)) || 1;
  const bar = (value, color) => P.el('div', {style: {position: 'absolute', inset: '0 auto 0 0', width: Math.min(100, 100 * value / most) + '%', background: `var(--${color})`}});
  return P.el('div', {class: 'silences', role: 'img', 'aria-label': P.t('rebalances.picture')}, grid.rows.map(r =>
    P.el('div', {style: {display: 'grid', 'grid-template-columns': '45% 1fr 5rem', gap: '.6rem', margin: '.15rem 0'}},
      P.el('span', {}, (trial < 0 ? '' : P.said(r.cells[trial]) + ': ') + P.said(r.cells[0])),
      P.el('div', {style: {position: 'relative'}}, bar(r.values[longest] || 0, 'c4'), bar(r.values[median] || 0, 'c1')),
      P.el('span', {}, P.said(r.cells[longest])))));
};

/* Return the clock error between hosts in µs if it hides shorter end-to-end times; otherwise null. */
Sections.clockError = t => (t.consume && t.consume.endToEndUnknown ? t.consume.clockErrorMicros : null);
Sections.appendError = t => (t.consume && t.consume.fromAppendUnknown ? t.consume.appendClockErrorMicros : null);
Sections.orLess = (of, key, error) => {
  const enough = key[0] !== 'p' || of.count * (1 - Number(key.slice(1)) / 100) >= 10 - 1e-6;
  return P.known(of[key]) || !P.known(error) || !enough ? F.micros(of[key]) : '< ' + F.micros(error);
};

Sections.latency = () => {
  const series = P.seriesOf(P.current());
  const charts = series ? [Figures.spectrum(series), Figures.heat(series)].filter(Boolean) : [];
  const section = Sections.make('latency', Sections.lead('latency.lead'));
  section.append(charts.length > 0 ? P.el('div', {class: 'charts'}, charts) : Sections.nothing('latency.none'));
  const rows = P.trials().filter(t => t === P.current()).flatMap(t => [
    ['spectrum.response', t.produce && t.produce.responseTime], ['spectrum.service', t.produce && t.produce.serviceTime],
    ['latency.sendDelay', t.produce && t.produce.sendDelay], ['spectrum.endToEnd', t.consume && t.consume.endToEnd, Sections.clockError(t)],
    ['spectrum.endToEndFromAppend', t.consume && t.consume.endToEndFromAppend, Sections.appendError(t)],
    ['latency.ownEndToEnd', t.consume && t.consume.ownEndToEnd],
  ]).filter(r => r[1] && r[1].count > 0);
  if (rows.length > 0) {
    section.append(P.el('h3', {}, P.t('latency.table')), Tables.make([
      Tables.text(P.t('latency.kind'), r => P.t(r[0])),
      ...['min', 'mean', 'p50', 'p90', 'p99', 'p99.9', 'p99.99', 'max'].map(key => ({name: P.term('stat.', key), value: r => r[1][key], text: r => Sections.orLess(r[1], key, r[2]), number: true})),
      Tables.number(P.t('latency.samples'), r => r[1].count, F.count),
    ], rows, {caption: P.t('latency.caption')}));
  }
  return section;
};
