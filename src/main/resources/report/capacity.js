/* The capacity page: the number of brokers that a load requires, a chart, and the assumptions. */
const Capacity = {colors: ['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7']};

Capacity.section = (id, title, ...children) => P.el('section', {id, 'aria-labelledby': id + '-title'},
  P.el('h2', {id: id + '-title'}, title), children);

/* Returns a function from the load in MB/s to the utilization of a resource per broker (1 = its limit). */
Capacity.share = (need, brokers, measured) => megabytes => (P.known(need.perMegabyte)
  ? (need.fixed / measured + need.perMegabyte * megabytes / brokers) / need.limit
  : megabytes * 1e6 / brokers / need.bytesPerSecond);

Capacity.marks = c => {
  const each = c.resources.map(n => n.bytesPerSecond).filter(P.known).reduce((a, b) => Math.min(a, b), Infinity) / 1e6;
  const low = c.measured.ceiling.lowerBytesPerSecond;
  return [
    {at: c.asked.targetBytesPerSecond / 1e6, text: P.t('capacity.target'), color: 'warn'},
    {at: c.asked.neededBytesPerSecond / 1e6, text: P.t('capacity.needed'), color: 'warn'},
    P.known(low) && {at: low / 1e6, text: P.t('capacity.today', c.measured.brokers), color: 'muted'},
    Number.isFinite(each) && {at: each * c.answer.brokers, text: P.t('capacity.all', c.answer.brokers), color: 'good'},
    Number.isFinite(each) && {at: each * Math.max(0, c.answer.brokers - Math.max(1, c.asked.survive)), text: P.t('capacity.left', Math.max(1, c.asked.survive)), color: 'bad'},
  ].filter(Boolean).filter((m, i, all) => i !== 1 || m.at !== all[0].at).sort((a, b) => a.at - b.at);
};

/* Returns the row of each mark's label, so that nearby labels do not overlap. most: end of the axis in MB/s. */
Capacity.storeys = (marks, most, pixels) => marks.reduce((storeys, m, i) => {
  const meets = j => (m.at - marks[j].at) / most * pixels < (Charts.wide(m.text) + Charts.wide(marks[j].text)) / 2 + 6;
  const taken = storeys.filter((_, j) => meets(j));
  return storeys.concat([0, 1, 2, 3, 4].find(s => !taken.includes(s)));
}, []);

Capacity.picture = c => {
  const needs = c.resources.filter(n => P.known(n.perMegabyte) ? P.known(n.limit) : P.known(n.bytesPerSecond));
  const marks = Capacity.marks(c);
  const most = 1.15 * Math.max(...marks.map(m => m.at));
  const storeys = Capacity.storeys(marks, most, Math.min(1200, document.documentElement.clientWidth) - 120);
  const rows = marks.map(m => Object.assign({shares: needs.map(n => Capacity.share(n, c.answer.brokers, c.measured.brokers)(m.at))}, m));
  const option = () => {
    const axis = Charts.axis();
    return {
      grid: {left: 56, right: 24, top: 48 + 13 * Math.max(...storeys), bottom: 44},
      legend: {show: true, top: 0, left: 50, itemWidth: 14, itemHeight: 3, icon: 'rect', textStyle: {color: P.color('muted'), fontSize: 11}},
      xAxis: Object.assign({}, axis, {type: 'value', min: 0, max: most, name: P.t('capacity.load'), nameLocation: 'middle', nameGap: 28, splitLine: {show: false}, axisLabel: Object.assign({}, axis.axisLabel, {formatter: F.rate, hideOverlap: true})}),
      yAxis: Object.assign({}, axis, {type: 'value', min: 0, max: v => Math.max(1, Math.min(1.5, v.max)), axisLine: {show: false}, axisLabel: Object.assign({}, axis.axisLabel, {formatter: F.percent})}),
      tooltip: {trigger: 'item'},
      series: needs.map((need, i) => ({
        type: 'line', name: P.said(need.name), showSymbol: false, color: P.color(Capacity.colors[i % Capacity.colors.length]),
        data: [0, most].map(x => [x, Math.max(0, Capacity.share(need, c.answer.brokers, c.measured.brokers)(x))]),
      })).concat({
        type: 'line', data: [],
        markLine: {
          silent: true, symbol: 'none',
          data: marks.map((m, i) => ({xAxis: m.at, lineStyle: {color: P.color(m.color), type: m.text === P.t('capacity.target') ? 'solid' : 'dashed'}, label: {formatter: m.text, color: P.color(m.color), fontSize: 11, position: 'end', distance: 4 + 13 * storeys[i]}}))
            .concat({yAxis: 1, lineStyle: {color: P.color('bad'), type: 'dotted'}, label: {show: false}}),
        },
      }),
    };
  };
  return Charts.figure({
    id: 'capacity', wide: true, size: 'tall', title: P.t('capacity.picture', c.answer.brokers), option,
    label: () => marks.map(m => m.text + ' ' + F.byteRate(m.at * 1e6)).join('; '),
    columns: () => [Tables.text(P.t('capacity.line'), r => r.text), Tables.number(P.t('capacity.load'), r => r.at, F.rate)]
      .concat(needs.map((n, i) => Tables.number(P.said(n.name), r => r.shares[i], F.percent))),
    rows: () => rows,
  });
};

Capacity.render = () => {
  Charts.dispose();
  Controls.texts();
  const c = P.data.capacity;
  const {needs, predictions} = P.data.grids;
  const sections = [
    P.el('section', {id: 'verdict'}, P.el('h1', {}, P.t('capacity.title')),
      P.el('div', {class: 'panel sentence'}, P.el('p', {}, P.said(c.answer.sentence)))),
    Capacity.section('load', P.t('capacity.load.title'), P.el('div', {class: 'charts'}, Capacity.picture(c))),
    Capacity.section('needs', P.t('capacity.needs'), Tables.grid(needs, {caption: P.t('capacity.needs'), class: 'named'})),
    Tables.rows(predictions) > 0 && Capacity.section('predictions', P.t('capacity.predictions'), Tables.grid(predictions, {caption: P.t('capacity.predictions'), class: 'named'})),
    Capacity.section('assumptions', P.t('capacity.assumptions'), P.el('ul', {}, [c.answer.moves].concat(c.assumptions).filter(P.known).map(a => P.el('li', {}, P.said(a))))),
  ].filter(Boolean);
  document.getElementById('main').replaceChildren(...sections);
  document.getElementById('contents').replaceChildren(...sections.filter(s => s.querySelector('h2')).map(s =>
    P.el('a', {href: '#' + s.id}, s.querySelector('h2').textContent)));
  Charts.drawAll();
  Controls.shown();
};

Controls.start({theme: Charts.drawAll, language: Capacity.render});
Charts.listen();
Capacity.render();
