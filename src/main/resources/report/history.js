/* The history page: a dot per run, the level of each segment, and a line at each change. */
const Past = {};

/* Returns the address of a run's page on the server of this page, with the token, if any. */
Past.address = name => {
  const token = location.search.slice(1).split('&').filter(part => part.startsWith('token='));
  return '/run?' + [...token, 'name=' + encodeURIComponent(name)].join('&');
};
Past.run = name => {
  location.href = Past.address(name);
};

/* Rates in records have no unit, because the labels of the axis must be short. */
Past.shown = (series, value) => (series.unit === 'records/s' ? F.rate(value) : F.figure(value, series.unit));

Past.option = series => {
  const axis = Charts.axis();
  const level = series.levels.flatMap((l, i) => [[Date.parse(series.times[l.from]), l.value], [Date.parse(series.times[l.to]), l.value],
    ...(i + 1 < series.levels.length ? [[Date.parse(series.times[l.to]), null]] : [])]);
  return {
    // UTC as in tables, because readers are in different time zones.
    useUTC: true,
    grid: {left: 76, right: 24, top: 16, bottom: 36},
    xAxis: Object.assign({}, axis, {type: 'time', splitLine: {show: false}}),
    yAxis: Object.assign({}, axis, {type: 'value', scale: true, axisLine: {show: false}, axisLabel: Object.assign({}, axis.axisLabel, {formatter: v => Past.shown(series, v)})}),
    tooltip: {trigger: 'item'},
    series: [
      {
        type: 'scatter', symbolSize: 6, itemStyle: {color: P.color('c1'), opacity: 0.75},
        data: series.values.map((v, i) => ({value: [Date.parse(series.times[i]), v, i]})),
        markLine: {
          silent: true, symbol: 'none', label: {show: false},
          data: series.shifts.map(s => ({xAxis: Date.parse(series.times[s.at]), lineStyle: {color: P.color(s.kind === 'worse' ? 'bad' : s.kind === 'better' ? 'good' : 'muted'), type: 'dashed', width: 1.4}})),
        },
      },
      {type: 'line', silent: true, showSymbol: false, connectNulls: false, lineStyle: {color: P.color('text'), width: 1.6}, data: level},
    ],
  };
};

Past.series = (series, i) => P.el('section', {id: 'series-' + i, 'aria-labelledby': 'series-' + i + '-title'},
  P.el('h2', {id: 'series-' + i + '-title'}, P.said(series.title)),
  P.el('div', {class: 'charts'}, Charts.figure({
    id: 'past-' + i, size: 'mid', wide: true, title: series.figure, option: () => Past.option(series),
    label: () => [P.said(series.title), ...series.sentences.map(P.said)].join(' '),
    columns: () => [
      {name: P.t('index.run'), value: r => r.run, text: r => Past.link(r.run), head: true},
      Tables.text(P.t('index.started'), r => r.time, r => F.time(r.time)),
      {name: series.figure, value: r => r.value, text: r => Past.shown(series, r.value)},
    ],
    rows: () => series.values.map((value, at) => ({run: series.runs[at], time: series.times[at], value})),
    drawn: chart => P.data.served && chart.instance.on('click', p => p.value && P.known(p.value[2]) && Past.run(series.runs[p.value[2]])),
    tip: p => (p.value && P.known(p.value[2]) ? [Past.shown(series, p.value[1]), series.runs[p.value[2]], F.time(series.times[p.value[2]])] : []),
  })),
  P.el('ul', {class: 'shifts'}, series.sentences.map(s => P.el('li', {}, P.said(s)))));

/* Series of one or two runs have no chart. Their values share one table. */
Past.few = all => {
  if (all.length === 0) return null;
  const several = all.some(series => series.figure !== all[0].figure);
  return P.el('section', {id: 'few', 'aria-labelledby': 'few-title'}, P.el('h2', {id: 'few-title'}, P.t('history.few')), Tables.make([
    {name: P.t('trials.trial'), value: r => r.name, head: true},
    several && Tables.text(P.t('history.ofFigure'), r => r.series.figure),
    {name: several ? P.t('environment.value') : all[0].figure, number: true, value: r => r.value, text: r => Past.shown(r.series, r.value)},
    Tables.text(P.t('index.started'), r => r.time, r => F.time(r.time)),
    Tables.text(P.t('index.run'), r => r.run, r => Past.link(r.run)),
  ].filter(Boolean), all.flatMap(series => series.values.map((value, at) => ({series, name: series.name, run: series.runs[at], time: series.times[at], value}))),
  {caption: P.t('history.few'), class: 'named', sortable: true}));
};

Past.link = run => (P.data.served ? P.el('a', {href: Past.address(run)}, run) : run);

Past.chooser = () => P.el('p', {class: 'chooser'}, P.el('label', {}, P.t('history.figure') + ' ',
  P.el('select', {
    onchange: event => {
      const kept = location.search.slice(1).split('&').filter(part => part && !part.startsWith('figure='));
      location.search = [...kept, 'figure=' + encodeURIComponent(event.target.value)].join('&');
    },
  }, P.data.figures.map(f => P.el('option', {value: f, selected: f === P.data.figure || null}, f)))));

Past.render = () => {
  Charts.dispose();
  Controls.texts();
  document.getElementById('main').replaceChildren(
    P.el('section', {id: 'history'}, P.el('h1', {}, P.t('history.title')), P.el('p', {class: 'note'}, P.t('history.lead')), P.data.served && Past.chooser(),
      P.data.series.length === 0 && P.el('p', {class: 'note'}, P.t('history.none'))),
    ...P.data.series.filter(series => series.values.length > 2).map(Past.series),
    ...[Past.few(P.data.series.filter(series => series.values.length < 3))].filter(Boolean));
  Charts.drawAll();
  Controls.shown();
};

Controls.start({theme: Charts.drawAll, language: Past.render});
Charts.listen();
Past.render();
