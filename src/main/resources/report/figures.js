/* All charts except time series. */
const Figures = {};

/* Chart of latency over load for a search: each load that was tried, the bounds, and the limit of the objective. */
Figures.curve = (ceiling, id) => {
  const points = P.list(ceiling.curve);
  const rate = p => p.recordsPerSecond;
  const named = pick => points.filter(p => P.known(p[pick]));
  const limit = Figures.limit(ceiling.slo);
  const most = Math.max(...points.map(p => p.offeredRecordsPerSecond || 0));
  const bound = ceiling.withinSlo || ceiling.sustained || {};
  const format = F.tick;
  const line = (name, pick, color) => ({
    type: 'line', name, color: P.color(color), lineStyle: {width: 1.6, color: P.color(color)},
    data: named(pick).map(p => ({
      value: [p.offeredRecordsPerSecond, Math.max(1, p[pick]), p],
      symbol: p.passed ? 'circle' : 'diamond',
      itemStyle: {color: p.passed ? P.color(color) : P.color('bad')},
    })),
    symbolSize: 8,
  });
  const option = () => {
    const axis = Charts.axis();
    const lines = [];
    // The labels extend in opposite directions, so that they do not overlap if the bounds are close to each other.
    const label = (text, color, position, align) => ({formatter: text, color: P.color(color), fontSize: 11, position, align});
    if (limit) lines.push({yAxis: limit, lineStyle: {color: P.color('warn'), type: 'dashed'}, label: label(ceiling.slo.replace('produce.response.', ''), 'warn', (bound.lowerRecordsPerSecond || 0) < most / 3 ? 'insideEndTop' : 'insideStartTop')});
    if (P.known(bound.lowerRecordsPerSecond)) lines.push({xAxis: bound.lowerRecordsPerSecond, lineStyle: {color: P.color('good'), type: 'solid'}, label: label(P.t('curve.passed') + ' ', 'good', 'end', 'right')});
    if (P.known(bound.upperRecordsPerSecond)) lines.push({xAxis: bound.upperRecordsPerSecond, lineStyle: {color: P.color('bad'), type: 'solid'}, label: label(' ' + P.t('curve.failed'), 'bad', 'end', 'left')});
    const p99 = line('p99', 'p99', 'q99');
    p99.markLine = {silent: true, symbol: 'none', data: lines};
    if (P.known(bound.lowerRecordsPerSecond) && P.known(bound.upperRecordsPerSecond)) {
      p99.markArea = {silent: true, itemStyle: {color: P.color('shade')}, data: [[{xAxis: bound.lowerRecordsPerSecond}, {xAxis: bound.upperRecordsPerSecond}]]};
    }
    const range = Charts.logRange(points.flatMap(p => [p.p50, p.p99]).concat(limit || []));
    return {
      grid: {left: 66, right: 56, top: 44, bottom: 44},
      legend: {show: true, top: 0, left: 60, itemWidth: 14, itemHeight: 3, textStyle: {color: P.color('muted'), fontSize: 11}, data: ['p50', 'p99'].map(name => ({name, icon: 'rect'}))},
      xAxis: Object.assign({}, axis, {type: 'value', min: 0, splitNumber: innerWidth < 600 ? 3 : 5, name: P.t('curve.offered'), nameLocation: 'middle', nameGap: 28, splitLine: {show: false}, axisLabel: Object.assign({}, axis.axisLabel, {formatter: F.rate, hideOverlap: true})}),
      yAxis: Object.assign({}, axis, range, {type: 'log', axisLine: {show: false}, axisLabel: Object.assign({}, axis.axisLabel, {formatter: format})}),
      tooltip: {trigger: 'item'},
      series: [line('p50', 'p50', 'q50'), p99],
    };
  };
  return Charts.figure({
    id, wide: true, size: 'tall', title: P.t('curve.title'), unit: P.t('curve.unit'), option,
    label: () => P.t('curve.title') + ': ' + points.map(p => F.perSecond(p.offeredRecordsPerSecond) + ' p99 ' + F.micros(p.p99) + ' ' + P.t(p.passed ? 'check.passed' : 'check.failed')).join('; '),
    tip: p => (p.value && p.value[2] ? [
      P.t('curve.offeredAt', F.perSecond(p.value[2].offeredRecordsPerSecond)),
      P.t('curve.acknowledged', F.perSecond(rate(p.value[2])), F.byteRate(p.value[2].bytesPerSecond)),
      'p50 ' + F.micros(p.value[2].p50) + ' · p99 ' + F.micros(p.value[2].p99),
      P.t(p.value[2].passed ? 'check.passed' : 'check.failed'),
      ...P.list(p.value[2].reasons).map(P.said),
    ] : []),
    columns: () => [
      Tables.number(P.t('curve.offered'), p => p.offeredRecordsPerSecond, F.perSecond),
      Tables.number(P.t('trials.records'), rate, F.perSecond),
      Tables.number('MB/s', p => p.bytesPerSecond, F.megabytes),
      Tables.number('p50', p => p.p50, F.micros),
      Tables.number('p99', p => p.p99, F.micros),
      Tables.text(P.t('curve.verdict'), p => (p.passed ? 1 : 0), p => Tables.check(p.passed)),
      Tables.text(P.t('curve.reasons'), p => P.list(p.reasons).map(P.said).join('; ')),
    ],
    rows: () => points,
  });
};

/* Returns the trials with the parameters that all of them set. If any trial sets more, the name becomes a parameter. */
Figures.differing = trials => {
  const all = key => key !== 'checks' && trials.every(t => P.known(t.parameters[key]));
  const shared = t => Object.fromEntries(Object.entries(t.parameters).filter(([key]) => all(key)));
  const alike = trials.every(t => Object.keys(t.parameters).every(all));
  // Removes the shared settings from the name, because they have their own columns. The rest distinguishes the trials.
  const short = key => key.slice(key.includes('.config.') ? key.lastIndexOf('.config.') + 8 : key.lastIndexOf('.') + 1);
  const own = t => Object.entries(shared(t)).reduce((name, [key, value]) => name.replace(` ${key}=${value}`, '').replace(` ${short(key)}=${value}`, ''), String(t.name));
  return trials.map(t => Object.assign({}, t, {parameters: Object.assign(alike ? {} : {[P.t('matrix.trial')]: own(t)}, shared(t))}));
};

/* Returns a table with cells colored by value, from minimum to maximum. Cells of repeated trials show the mean. */
Figures.matrix = ({name, format, corner, columns, rows, of}) => {
  const mean = (row, column) => {
    const all = of(row, column);
    return all.length === 0 ? null : all.reduce((sum, v) => sum + v, 0) / all.length;
  };
  const [least, most] = Time.range(rows.flatMap(r => columns.map(c => mean(r, c)))) || [0, 0];
  const heat = value => (P.known(value) ? 'heat-' + Math.min(4, Math.floor(5 * (value - least) / (most - least || 1))) : null);
  return Tables.make([{name: corner, value: r => r}, ...columns.map(c => ({
    name: String(c), number: true, value: r => mean(r, c), text: r => (P.known(mean(r, c)) ? format(mean(r, c)) : null), mark: r => heat(mean(r, c)),
  }))], rows, {caption: name, class: 'matrix'});
};

/* Chart of measured and ideal (linear) speedup over the number that varies between trials. */
Figures.scaling = (scaling, i) => {
  const least = scaling.steps[0].number;
  const lines = [[P.t('scaling.reached'), 'c1', s => s.speedUp], [P.t('scaling.ideal'), 'c0', s => s.number / least]];
  // The common prefix of the trial names, such as the group type, distinguishes several charts.
  const names = scaling.steps.map(s => s.name);
  const common = names[0].slice(0, [...names[0]].findIndex((c, at) => names.some(name => name[at] !== c))).replace(/[\s=]+\d*$/, '');
  const title = [P.t('scaling.title'), scaling.what, common].filter(Boolean).join(' · ');
  const times = value => F.short(value) + ' ×';
  const option = () => {
    const axis = Charts.axis();
    return {
      grid: {left: 62, right: 14, top: 26, bottom: 40},
      legend: {show: true, top: 0, left: 56, itemWidth: 14, itemHeight: 3, icon: 'rect', textStyle: {color: P.color('muted'), fontSize: 11}},
      xAxis: Object.assign({}, axis, {type: 'value', min: 0, minInterval: 1, name: scaling.what, nameLocation: 'middle', nameGap: 24, splitLine: {show: false}}),
      yAxis: Object.assign({}, axis, {type: 'value', min: 0, splitNumber: 4, axisLine: {show: false}, axisLabel: Object.assign({}, axis.axisLabel, {formatter: times})}),
      tooltip: {trigger: 'item'},
      series: lines.map(([name, color, of], k) => ({
        type: 'line', name, color: P.color(color), symbolSize: 8, showSymbol: k === 0, lineStyle: {width: 1.6, type: k === 0 ? 'solid' : [5, 4], color: P.color(color)},
        data: scaling.steps.map(s => [s.number, of(s)]),
      })),
    };
  };
  return Charts.figure({
    id: 'scaling-' + i, size: 'mid', title, unit: P.t('scaling.unit'), option,
    label: () => title + ': ' + scaling.steps.map(s => s.number + ' ' + times(s.speedUp)).join('; '),
    tip: p => [scaling.steps[p.dataIndex].name, p.seriesName + ' ' + times(p.value[1])],
  });
};

/* Returns the limit of an objective for a response-time percentile in µs; null for other objectives. */
Figures.limit = slo => {
  const found = /response\.p[\d.]+\s*<=?\s*([\d.]+)\s*(us|µs|ms|s)\b/.exec(String(slo || ''));
  return found ? Number(found[1]) * {us: 1, 'µs': 1, ms: 1e3, s: 1e6}[found[2]] : null;
};

/* Chart of percentiles on a logarithmic axis of 1 / (1 - quantile), which gives the tail as much space as the rest. */
Figures.spectrum = series => {
  const kinds = [['response', 'q99', false], ['service', 'qmax', true], ['endToEnd', 'c3', false], ['endToEndFromAppend', 'c4', true]]
    .filter(([kind]) => series.spectra[kind]);
  if (kinds.length === 0) return null;
  const at = x => [1, 2, 10, 100, 1000, 10000, 100000].find(v => Math.abs(v - x) < 1e-9 * v);
  const option = () => {
    const axis = Charts.axis();
    const all = kinds.flatMap(([kind]) => series.spectra[kind].map(p => p[1]));
    const most = Math.max(...kinds.flatMap(([kind]) => series.spectra[kind].map(p => p[0])));
    return {
      // On paper, a legend with three names takes two lines.
      grid: {left: 66, right: 22, top: kinds.length > 2 ? 44 : 30, bottom: 30},
      legend: {show: true, top: 0, left: 8, itemWidth: 14, itemHeight: 3, icon: 'rect', textStyle: {color: P.color('muted'), fontSize: 11}},
      xAxis: Object.assign({}, axis, {type: 'log', min: 1, max: Math.max(100, Math.pow(10, Math.ceil(Math.log10(most) - 1e-9))), axisLabel: Object.assign({}, axis.axisLabel, {formatter: x => (at(x) ? F.quantile(x) : '')})}),
      yAxis: Object.assign({}, axis, Charts.logRange(all), {type: 'log', axisLine: {show: false}, axisLabel: Object.assign({}, axis.axisLabel, {formatter: F.tick})}),
      tooltip: {trigger: 'axis', axisPointer: {lineStyle: {color: P.color('muted')}}},
      series: kinds.map(([kind, color, dashed]) => ({
        type: 'line', name: P.t('spectrum.' + kind), color: P.color(color), showSymbol: false,
        lineStyle: {width: 1.8, color: P.color(color), type: dashed ? [5, 4] : 'solid'},
        data: series.spectra[kind].map(([x, us]) => [x, Math.max(1, us)]),
      })),
    };
  };
  return Charts.figure({
    id: 'spectrum', size: 'mid', title: P.t('spectrum.title'), option,
    label: () => P.t('spectrum.title') + ': ' + kinds.map(([kind]) => {
      const last = series.spectra[kind][series.spectra[kind].length - 1];
      return P.t('spectrum.' + kind) + ' ' + F.quantile(last[0]) + ' ' + F.micros(last[1]);
    }).join('; '),
    tip: params => [F.quantile(params[0].value[0]), ...params.map(p => p.seriesName + ' ' + F.micros(p.value[1]))],
    columns: () => [
      Tables.text(P.t('spectrum.percentile'), i => i, i => F.quantile(series.spectra[kinds[0][0]][i][0])),
      ...kinds.map(([kind]) => Tables.number(P.t('spectrum.' + kind), i => (series.spectra[kind][i] || [])[1], F.micros)),
    ],
    rows: () => series.spectra[kinds[0][0]].map((p, i) => i).filter(i => i === 0 || i === 3 || i % 10 === 0),
  });
};

/* Heat map of latency over time. The color shows the share of the interval's records, on a logarithmic scale. */
Figures.heat = series => {
  const cells = P.list(series.heat);
  if (cells.length === 0) return null;
  const rowsPerDecade = 8;
  const from = row => Math.pow(10, row / rowsPerDecade);
  const low = Math.min(...cells.map(c => c[1]));
  const high = Math.max(...cells.map(c => c[1]));
  const wide = series.heatSeconds;
  const last = Math.max(...cells.map(c => c[0]));
  const columns = Array.from({length: last + 1}, (x, i) => F.clock(i * wide));
  const rows = Array.from({length: high - low + 1}, (x, i) => F.tick(from(low + i)));
  const decade = i => (low + i) % rowsPerDecade === 0;
  const option = () => {
    const axis = Charts.axis();
    return {
      grid: {left: 66, right: 14, top: 12, bottom: 30},
      xAxis: Object.assign({}, axis, {type: 'category', data: columns, splitLine: {show: false}}),
      yAxis: Object.assign({}, axis, {type: 'category', data: rows, splitLine: {show: false}, axisLine: {show: false}, axisLabel: Object.assign({}, axis.axisLabel, {interval: decade})}),
      visualMap: {
        show: false, min: 0, max: 4, dimension: 2,
        inRange: {color: [0, 1, 2, 3, 4].map(i => P.color('h' + i))},
      },
      tooltip: {trigger: 'item'},
      series: [{
        type: 'heatmap', progressive: 0, emphasis: {disabled: true}, itemStyle: {borderWidth: 0},
        data: cells.map(([c, r, share]) => [c, r - low, Math.log10(share), share]),
      }],
    };
  };
  return Charts.figure({
    id: 'heat', size: 'mid', title: P.t('heat.title'), unit: P.t('heat.unit'), option,
    label: () => P.t('heat.label', F.micros(from(low)), F.micros(from(high + 1))),
    tip: p => (p.value ? [
      P.t('heat.at', F.clock(p.value[0] * wide), F.clock((p.value[0] + 1) * wide)),
      P.t('heat.cell', F.percent(p.value[3] / 1e4), F.micros(from(p.value[1] + low)), F.micros(from(p.value[1] + low + 1))),
    ] : []),
  });
};

/* Bar chart of one or two figures by name. */
Figures.bars = (id, title, unit, names, lines, format) => Charts.figure({
  id, title, unit, size: '',
  option: () => {
    const axis = Charts.axis();
    return {
      grid: {left: 62, right: 14, top: 26, bottom: 26},
      legend: {show: true, top: 0, left: 56, itemWidth: 10, itemHeight: 10, textStyle: {color: P.color('muted'), fontSize: 11}},
      xAxis: Object.assign({}, axis, {type: 'category', data: names, splitLine: {show: false}, axisLabel: Object.assign({}, axis.axisLabel, {hideOverlap: true, width: 110, overflow: 'truncate'})}),
      yAxis: Object.assign({}, axis, {type: 'value', min: 0, splitNumber: 4, axisLine: {show: false}, axisLabel: Object.assign({}, axis.axisLabel, {formatter: format})}),
      tooltip: {trigger: 'axis', axisPointer: {type: 'shadow', shadowStyle: {color: P.color('shade')}}},
      series: lines.map(l => ({type: 'bar', name: l.name, color: P.color(l.color), barMaxWidth: 26, barGap: '10%', data: l.values})),
    };
  },
  label: () => title + ': ' + lines.map(l => {
    const range = Time.range(l.values);
    return range ? P.t('chart.fromTo', l.name, format(range[0]), format(range[1])) : l.name;
  }).join('; '),
  tip: params => [params[0].name, ...params.map(p => p.seriesName + ' ' + format(p.value))],
});

/* Mean request time in ms by stage: one bar per row, all on the same scale. */
Figures.stages = () => P.list(P.data.stages).map(stage => [stage.name, stage.color]);
Figures.waterfall = rows => {
  const total = row => Figures.stages().reduce((sum, [stage]) => sum + (row.times[stage] || 0), 0);
  const most = Math.max(...rows.map(total), 1e-9);
  return P.el('div', {class: 'stages'},
    rows.map(row => {
      let x = 0;
      const parts = Figures.stages().map(([stage, color]) => {
        const width = 1000 * (row.times[stage] || 0) / most;
        const part = P.svg('rect', {x, y: 0, width, height: 22, style: `fill: var(--${color})`},
          P.svg('title', {}, P.t('stage.' + stage) + ' ' + F.millis(row.times[stage])));
        x += width;
        return part;
      });
      const spoken = row.name + ': ' + Figures.stages().map(([stage]) => P.t('stage.' + stage) + ' ' + F.millis(row.times[stage])).join(', ');
      return P.el('div', {class: 'stage-row'},
        P.el('span', {}, row.name),
        P.svg('svg', {viewBox: '0 0 1000 22', preserveAspectRatio: 'none', role: 'img', 'aria-label': spoken}, parts),
        P.el('span', {class: 'n'}, F.millis(total(row))));
    }));
};
Figures.stageKeys = () => P.el('ul', {class: 'keys'}, Figures.stages().map(([stage, color]) =>
  P.el('li', {style: {'--of': `var(--${color})`}}, P.t('stage.' + stage))));

/* Stages of slow records in processing order, with their colors. */
Figures.way = {
  send: 'c6', batch: 'c7', retry: 'bad', request: 'c1', queue: 'c0', append: 'c1', replication: 'c2', throttle: 'c5', response: 'c3', network: 'c4',
  answer: 'c1', produce: 'c0', poll: 'c6', fetch: 'c1', work: 'c7',
};
Figures.stageOf = stage => P.term('report.label.slowStage', stage[0].toUpperCase() + stage.slice(1));
Figures.momentStages = moment => {
  const known = new Set(P.list(moment.worst).flatMap(b => Object.keys(b.stages)));
  return [...Object.keys(Figures.way).filter(stage => known.has(stage)), ...[...known].filter(stage => !Figures.way[stage])];
};
// The data omits zeros. A negative offset is unknown.
Figures.recordOf = b => b.partition + (b.offset < 0 ? '' : ':' + (b.offset || 0));
Figures.sumOf = b => Object.values(b.stages).reduce((sum, nanos) => sum + nanos, 0);

/* Chart of the slowest batches of a moment on one time axis, with the stages of each batch in sequence. */
Figures.moment = (moment, title) => {
  const stages = Figures.momentStages(moment);
  const color = stage => `var(--${Figures.way[stage] || 'c0'})`;
  const batches = [...P.list(moment.worst)].sort((a, b) => a.fromNanos - b.fromNanos);
  const from = Math.min(...batches.map(b => b.fromNanos));
  const length = Math.max(1, ...batches.map(b => b.fromNanos + Figures.sumOf(b) - from));
  return P.el('div', {class: 'stages', role: 'group', 'aria-label': title},
    P.el('ul', {class: 'keys'}, stages.map(stage => P.el('li', {style: {'--of': color(stage)}}, Figures.stageOf(stage)))),
    batches.map(b => {
      const parts = stages.filter(stage => b.stages[stage] > 0);
      const spoken = parts.map(stage => Figures.stageOf(stage) + ' ' + F.micros(b.stages[stage] / 1e3));
      let x = 1000 * (b.fromNanos - from) / length;
      return P.el('div', {class: 'stage-row', title: spoken.join(' → ')},
        P.el('span', {}, Figures.recordOf(b)),
        P.svg('svg', {viewBox: '0 0 1000 22', preserveAspectRatio: 'none', role: 'img', 'aria-label': Figures.recordOf(b) + ': ' + spoken.join(', ')},
          parts.map(stage => {
            const width = 1000 * b.stages[stage] / length;
            x += width;
            return P.svg('rect', {x: x - width, y: 0, width, height: 22, style: 'fill: ' + color(stage)});
          })),
        P.el('span', {class: 'n'}, F.micros(Figures.sumOf(b) / 1e3)));
    }),
    P.el('div', {class: 'stage-row'}, P.el('span'), P.el('span', {class: 'ends'}, [from, from + length].map(nanos => P.el('span', {}, F.decimals(nanos / 1e9, 3) + ' s'))), P.el('span')));
};
