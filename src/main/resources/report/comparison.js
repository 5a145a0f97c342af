/* The comparison page. Tables contain formatted text; charts are drawn from numbers. */
const Compare = {colors: ['c1', 'c2']};

Compare.side = (pair, side) => Compare.colors[side === pair.first ? 0 : 1];

Compare.table = (grid, caption) => Tables.grid(grid, {caption, class: 'named'});

Compare.section = (id, title, ...children) => P.el('section', {id, 'aria-labelledby': id + '-title'},
  P.el('h2', {id: id + '-title'}, title), children);

Compare.verdict = c => {
  const badges = {worse: ['bad', '✗ '], better: ['good', '✓ '], both: ['warn', '✓ ✗ '], same: ['', '= '], unknown: ['warn', '? ']};
  const [kind, mark] = badges[c.state];
  const gates = {passed: ['good', '✓ ', 'check.passed'], failed: ['bad', '✗ ', 'check.failed'], unknown: ['warn', '? ', 'compare.unknown']};
  const [judged, sign, word] = c.gate ? gates[c.gate.state] : [];
  const panel = {worse: ' failed', both: ' failed', better: ''}[c.state];
  return P.el('section', {id: 'verdict'},
    P.el('h1', {}, P.t('compare.title') + P.t('mark.colon') + c.names),
    P.el('div', {class: 'panel sentence' + (panel === undefined ? ' running' : panel)},
      P.el('span', {class: 'badge ' + kind}, mark + P.t('compare.' + c.state)), P.el('p', {}, P.said(c.sentence))),
    c.gate && P.el('p', {class: 'panel gate'},
      P.el('span', {class: 'badge ' + judged}, sign + P.t(word)),
      ' ' + P.said(c.gate.text)),
    c.remarks.length > 0 && P.el('ul', {class: 'warnings'}, c.remarks.map(r => P.el('li', {}, P.said(r)))));
};

/*
 * Returns the half-width of the logarithmic scale that all rows share, as a natural logarithm of the ratio. Worse is
 * on the right for every figure.
 */
Compare.reach = intervals => Math.min(Math.log(10), Math.max(Math.log(1.1),
  1.1 * Math.max(0, ...intervals.filter(P.known).flatMap(i => [Math.abs(Math.log(i[0])), Math.abs(Math.log(i[2]))]))));

Compare.interval = (interval, outcome, reach) => {
  if (!interval) return '';
  const [low, middle, high] = interval.map(v => 100 + 94 * Math.max(-1, Math.min(1, Math.log(v) / reach)));
  const color = `var(--${{better: 'good', worse: 'bad'}[outcome] || 'muted'})`;
  return P.svg('svg', {class: 'interval', viewBox: '0 0 200 22', role: 'img', 'aria-label': P.t('compare.' + outcome)},
    P.svg('line', {class: 'grid', x1: 100, x2: 100, y1: 0, y2: 22}),
    P.svg('line', {x1: low, x2: Math.max(high, low + 1.5), y1: 11, y2: 11, 'stroke-width': 5, 'stroke-linecap': 'round', style: `stroke: ${color}; opacity: .45`}),
    P.svg('circle', {cx: middle, cy: 11, r: 4.5, style: `fill: ${color}`}));
};

Compare.trial = (pair, i, several) => {
  const reach = Compare.reach(pair.intervals);
  const row = r => pair.figures.rows.indexOf(r);
  const charts = Compare.curves(pair, i);
  const name = pair.name + (several ? ' · ' + P.t('compare.and', pair.second, pair.first) : '');
  return Compare.section(i === 0 ? 'figures' : 'figures-' + i, name,
    pair.parameters && pair.parameters !== pair.name && P.el('p', {class: 'note'}, pair.parameters),
    Tables.grid(pair.figures, {
      caption: name, class: 'named figures cards', mark: r => pair.outcomes[row(r)],
      more: [{name: P.t('compare.scale'), text: r => Compare.interval(pair.intervals[row(r)], pair.outcomes[row(r)], reach)}],
    }),
    charts.length > 0 && [
      P.el('div', {class: 'pointed'}, P.el('p', {class: 'note', id: i === 0 ? 'time-cursor' : null}, Time.hint()), i === 0 && Time.whole()),
      P.el('div', {class: 'charts'}, charts)]);
};

/* Returns the times of all curves in seconds, and a function that maps a column of a curve to these times. */
Compare.series = pair => {
  const t = [...new Set(pair.curves.flatMap(c => c.t))].sort((a, b) => a - b);
  const at = new Map(t.map((second, i) => [second, i]));
  const spread = (curve, column) => {
    const values = t.map(() => null);
    curve.t.forEach((second, k) => {
      values[at.get(second)] = curve.columns[column][k];
    });
    return values;
  };
  return {t, spread};
};

Compare.curves = (pair, i) => {
  const {t, spread} = Compare.series(pair);
  const count = {};
  const named = pair.curves.map(curve => {
    count[curve.side] = (count[curve.side] || 0) + 1;
    return {curve, nth: count[curve.side]};
  });
  const chart = (id, column, format, more) => Time.figure({}, {t, columns: {}}, Object.assign({
    id: id + '-' + i, title: P.t('compare.' + id), format,
    lines: named.map(({curve, nth}) => ({
      name: curve.side + (count[curve.side] > 1 ? ' ' + nth : ''), color: Compare.side(pair, curve.side), values: spread(curve, column),
      width: named.length > 2 ? 1 : curve.side === pair.first ? 2.6 : 1.5,
    })),
  }, more));
  const log = {log: true, axis: F.tick, unit: P.t('time.response.unit')};
  const produces = pair.curves.some(c => c.columns.bytes.some(v => v > 0));
  return (produces
    ? [chart('throughput', 'bytes', F.byteRate), chart('p99', 'p99', F.micros, log)]
    : [chart('consumed', 'consumed', F.perSecond)]).filter(Boolean);
};

Compare.ceiling = (pair, i, named) => [
  named && P.el('h3', {}, [pair.parameters, P.t('compare.and', pair.first, pair.second)].filter(Boolean).join(' · ')),
  P.el('div', {class: 'charts'}, ['p99', 'p50'].map(pick => Compare.loads(pair, i, pick))),
  P.el('p', {class: 'note'}, P.t('compare.filled')),
  P.el('details', {class: 'data'}, P.el('summary', {}, P.t('compare.loads')), Compare.table(pair.table, P.t('compare.loads'))),
];

/* Chart of response time over load for both searches. Each ceiling is within its shaded range. */
Compare.loads = (pair, i, pick) => {
  const shown = pair.loads.map(l => ({side: l.side, bounds: l.bounds, points: P.list(l.points).filter(p => P.known(p[pick]))}));
  const title = P.t('compare.over', pick);
  const series = l => {
    const color = P.color(Compare.side(pair, l.side));
    const {lower, upper} = l.bounds;
    const from = P.known(lower) ? lower : upper;
    return {
      type: 'line', name: l.side, color, lineStyle: {color, width: l.side === pair.first ? 3 : 1.6}, symbolSize: l.side === pair.first ? 10 : 7,
      data: l.points.map(p => ({
        value: [p.offeredRecordsPerSecond, Math.max(1, p[pick]), Object.assign({side: l.side}, p)],
        symbol: 'circle', itemStyle: {color: p.passed ? color : P.color('panel'), borderColor: color, borderWidth: 1.6},
      })),
      markArea: P.known(from) && P.known(upper) ? {silent: true, itemStyle: {color, opacity: 0.16}, data: [[{xAxis: from}, {xAxis: upper}]]} : undefined,
      markLine: P.known(from) ? {silent: true, symbol: 'none', label: {show: false}, lineStyle: {color, type: 'dashed', width: 1}, data: [{xAxis: from}]} : undefined,
    };
  };
  const option = () => {
    const axis = Charts.axis();
    return {
      grid: {left: 66, right: 24, top: 28, bottom: 44},
      legend: {show: true, top: 0, left: 60, itemWidth: 14, itemHeight: 3, icon: 'rect', textStyle: {color: P.color('muted'), fontSize: 11}},
      xAxis: Object.assign({}, axis, {type: 'value', min: 0, splitNumber: innerWidth < 600 ? 3 : 5, name: P.t('curve.offered'), nameLocation: 'middle', nameGap: 28, splitLine: {show: false}, axisLabel: Object.assign({}, axis.axisLabel, {formatter: F.rate, hideOverlap: true})}),
      yAxis: Object.assign({}, axis, Charts.logRange(shown.flatMap(l => l.points.map(p => p[pick]))), {type: 'log', axisLine: {show: false}, axisLabel: Object.assign({}, axis.axisLabel, {formatter: F.tick})}),
      tooltip: {trigger: 'item'},
      series: shown.map(series),
    };
  };
  return Charts.figure({
    id: 'loads-' + pick + '-' + i, size: 'mid', title, option,
    label: () => title + ': ' + shown.flatMap(l => l.points.map(p => l.side + ' ' + F.perSecond(p.offeredRecordsPerSecond) + ' ' + F.micros(p[pick]) + ' ' + P.t(p.passed ? 'check.passed' : 'check.failed'))).join('; '),
    tip: p => (p.value && p.value[2] ? [
      p.value[2].side + ' · ' + P.t('curve.offeredAt', F.perSecond(p.value[2].offeredRecordsPerSecond)),
      pick + ' ' + F.micros(p.value[2][pick]), P.t(p.value[2].passed ? 'check.passed' : 'check.failed'),
      ...P.list(p.value[2].reasons).map(P.said),
    ] : []),
  });
};

Compare.render = () => {
  Charts.dispose();
  Controls.texts();
  const c = P.data.comparison;
  const several = new Set(c.trials.map(t => t.second)).size > 1;
  const named = c.ceilings.length > 1 || c.ceilings.some(p => p.parameters);
  const sections = [
    Compare.verdict(c),
    Compare.section('sides', P.t('compare.sides'), Compare.table(c.sides, P.t('compare.sides'))),
    Compare.section('differences', P.t('compare.differences'), c.differences.rows.length === 0
      ? P.el('p', {class: 'note'}, P.t('compare.alike'))
      : Compare.table(c.differences, P.t('compare.differences'))),
    ...c.trials.map((pair, i) => Compare.trial(pair, i, several)),
    c.bounds && Compare.section('ceilings', P.t('compare.ceilings'), Compare.table(c.bounds, P.t('compare.ceilings')),
      c.ceilings.map((pair, i) => Compare.ceiling(pair, i, named))),
  ].filter(Boolean);
  document.getElementById('main').replaceChildren(...sections);
  const contents = [['verdict', 'verdict.title'], ['differences', 'compare.differences'], ['figures', 'compare.figures'], ['ceilings', 'compare.ceilings']];
  document.getElementById('contents').replaceChildren(...contents.filter(([id]) => document.getElementById(id))
    .map(([id, key]) => P.el('a', {href: '#' + id}, P.t(key))));
  document.getElementById('footer').replaceChildren(P.el('p', {}, P.said(c.basis)));
  Charts.drawAll();
  Controls.shown();
};

Controls.start({theme: Charts.drawAll, language: Compare.render});
Charts.listen();
Compare.render();
