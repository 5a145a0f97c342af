/* Charts with a heading, a text alternative and a data table. */
const Charts = {};

Charts.axis = () => ({
  axisLine: {lineStyle: {color: P.color('line-strong')}},
  axisTick: {show: false},
  axisLabel: {color: P.color('muted'), fontSize: 11},
  nameTextStyle: {color: P.color('muted'), fontSize: 11},
  splitLine: {lineStyle: {color: P.color('line'), width: 1}},
  minorSplitLine: {show: false},
});
Charts.base = () => ({
  animation: false,
  textStyle: {fontFamily: getComputedStyle(document.body).fontFamily},
  backgroundColor: 'transparent',
});

/* Estimates the width of a label in pixels. */
Charts.wide = text => [...text].reduce((sum, c) => sum + (c > '\u2e80' ? 11 : 6.5), 0);

/*
 * spec: {id, title, unit, label: () => text alternative, option: () => option, columns, rows, size, tip: params => lines}
 * Tooltips are built from text nodes, because names of topics and errors must not be parsed as markup.
 */
Charts.figure = spec => {
  const box = P.el('div', {
    class: 'chart ' + (spec.size || ''), id: 'chart-' + spec.id, role: 'img', tabindex: '0', 'aria-label': spec.label(),
  });
  const figure = P.el('figure', {class: spec.wide ? 'wide' : null},
    P.el('figcaption', {}, P.el('strong', {}, spec.title), spec.unit && P.el('span', {class: 'unit'}, spec.unit), Export.chartButtons(spec.id)),
    spec.legend, box, spec.below,
    spec.rows && Charts.asTable(spec));
  P.charts.push({spec, box, instance: null});
  return figure;
};

/* The table is created when it is opened for the first time. */
Charts.asTable = spec => {
  const details = P.el('details', {class: 'data'}, P.el('summary', {}, P.t('chart.asTable')));
  details.addEventListener('toggle', () => {
    if (details.open && details.children.length === 1) {
      details.append(Tables.make(spec.columns(), spec.rows(), {caption: spec.title}));
    }
  });
  return details;
};

Charts.draw = chart => {
  if (chart.instance === null) {
    // A folded chart has no width. It is drawn when it is opened.
    if (chart.box.clientWidth === 0) return;
    chart.instance = echarts.init(chart.box, null, {renderer: 'canvas'});
    if (chart.spec.drawn) chart.spec.drawn(chart);
  }
  const option = chart.spec.option();
  if (chart.spec.tip) {
    option.tooltip = Object.assign({
      confine: true,
      backgroundColor: P.color('panel'),
      borderColor: P.color('line-strong'),
      textStyle: {color: P.color('text'), fontSize: 12},
      formatter: params => Charts.tip(chart.spec.tip(params)),
    }, option.tooltip);
  }
  chart.instance.setOption(Object.assign(Charts.base(), option), true);
};

Charts.tip = lines => P.el('div', {class: 'tip'}, P.list(lines).map((line, i) =>
  P.el('div', {}, i === 0 ? P.el('b', {}, line) : line)));

Charts.drawAll = () => P.charts.forEach(Charts.draw);
Charts.resizeAll = size => P.charts.filter(c => c.instance).forEach(c => {
  c.instance.resize(size && size(c));
  // Synchronously, because no animation frame runs before the page is printed.
  c.instance.getZr().refreshImmediately();
});
Charts.dispose = () => {
  P.charts.forEach(c => c.instance && c.instance.dispose());
  P.charts = [];
};

/* Adapts charts to the size of the window, and to paper, which always has the light theme. */
Charts.listen = () => {
  let pending = 0;
  window.addEventListener('resize', () => {
    cancelAnimationFrame(pending);
    pending = requestAnimationFrame(() => Charts.resizeAll());
  });
  document.addEventListener('toggle', () => P.charts.filter(c => c.instance === null).forEach(Charts.draw), true);
  let before = null;
  window.addEventListener('beforeprint', () => {
    before = P.theme();
    Controls.setTheme('light');
    const height = P.printsOne() ? 100 : undefined;
    Charts.resizeAll(c => ({width: c.spec.wide ? 640 : 312, height}));
  });
  window.addEventListener('afterprint', () => {
    Controls.setTheme(before || 'light');
    Charts.resizeAll();
  });
};

/* Returns the range of a logarithmic axis: the powers of ten that enclose the positive values. */
Charts.logRange = values => {
  const positive = values.filter(v => P.known(v) && v > 0);
  if (positive.length === 0) return {min: 1, max: 10};
  let low = Infinity;
  let high = 0;
  for (const v of positive) {
    if (v < low) low = v;
    if (v > high) high = v;
  }
  const min = Math.pow(10, Math.floor(Math.log10(low)));
  const max = Math.pow(10, Math.ceil(Math.log10(high)));
  return {min, max: max > min ? max : min * 10};
};
