/* Charts over time. They share a time axis and a cursor; legends show the values at the cursor. */
const Time = {left: 62, right: 14, last: null, from: null, to: null, zoomed: null};

Time.range = values => {
  let low = Infinity;
  let high = -Infinity;
  for (const v of values) {
    if (P.known(v)) {
      if (v < low) low = v;
      if (v > high) high = v;
    }
  }
  return low === Infinity ? null : [low, high];
};

/* spec: {id, title, unit, lines: [{name, column | values, color, dashed, width}], format, axis, log, whole, stack} */
Time.figure = (trial, series, spec) => {
  const t = series.t;
  const lines = spec.lines
    .map(l => Object.assign({}, l, {values: l.values || series.columns[l.column]}))
    .filter(l => l.values && l.values.some(P.known));
  if (lines.length === 0) return null;
  const chart = Object.assign({}, spec, {t, lines, hidden: new Set(), trial});
  const buttons = lines.map((line, i) => {
    const value = P.el('b');
    const button = P.el('button', {
      type: 'button', 'aria-pressed': 'true', title: P.t('chart.toggle'),
      style: {'--of': `var(--${line.color})`},
      onclick: () => Time.toggle(chart, i),
    }, line.name, value);
    return {button, value};
  });
  chart.buttons = buttons;
  const legend = P.el('div', {class: 'readout'}, buttons.map(b => b.button));
  chart.show = index => buttons.forEach((b, i) => {
    const value = index === null ? null : lines[i].values[index];
    b.value.textContent = index === null ? '' : spec.format(value);
  });
  return Charts.figure({
    id: spec.id, title: spec.title, unit: spec.unit, legend,
    label: () => Time.label(spec, lines),
    option: () => Time.option(chart),
    columns: () => Time.columns(chart),
    rows: () => t.map((at, i) => i),
    drawn: drawn => Time.listen(drawn, chart),
    time: chart,
  });
};

/* Returns the text alternative of a chart: the minimum and maximum of each line. */
Time.label = (spec, lines) => spec.title + ': ' + lines.map(line => {
  const range = Time.range(line.values);
  return P.t('chart.fromTo', line.name, spec.format(range[0]), spec.format(range[1]));
}).join('; ');

Time.toggle = (chart, i) => {
  const hide = !chart.hidden.has(i);
  if (hide) chart.hidden.add(i);
  else chart.hidden.delete(i);
  chart.buttons[i].button.setAttribute('aria-pressed', String(!hide));
  P.charts.filter(c => c.spec.time === chart).forEach(Charts.draw);
};

Time.columns = chart => [
  Tables.text(P.t('chart.second'), i => chart.t[i], i => F.clock(chart.t[i])),
  ...chart.lines.map(line => Tables.number(line.name, i => line.values[i], chart.format)),
];

/* Returns instructions for the pointer and keys; empty on narrow screens. */
Time.hint = () => (P.narrow() ? '' : P.t('time.hint'));

/* Returns the visible range in seconds: the selected range within the trial, or else the whole trial. */
Time.shown = end => {
  const [from, to] = [Math.max(0, Time.from ?? 0), Math.min(end, Time.to ?? end)];
  return from < to ? [from, to] : [0, end];
};

/* Shows only this range in all charts, in seconds. A null bound is the start or end of the trial. */
Time.zoom = (from, to) => {
  Object.assign(Time, {from, to});
  if (Time.zoomed) Time.zoomed();
  P.charts.filter(c => c.spec.time).forEach(Charts.draw);
  const whole = document.getElementById('whole-time');
  if (whole) whole.hidden = !P.known(from) && !P.known(to);
  Time.point(null);
};

Time.whole = () => P.el('button', {
  type: 'button', id: 'whole-time', hidden: !P.known(Time.from) && !P.known(Time.to), onclick: () => Time.zoom(null, null),
}, P.t('time.whole'));

/* Returns the time in seconds at this distance from the left edge of a chart, in pixels. */
Time.at = (drawn, x) => {
  const second = drawn.instance.convertFromPixel({xAxisIndex: 0}, x);
  const t = drawn.spec.time.t;
  return Math.round(10 * Math.max(0, Math.min(t[t.length - 1] || 0, second))) / 10;
};

/* Dragging with a mouse selects a range. */
Time.drag = drawn => {
  const left = event => event.clientX - drawn.box.getBoundingClientRect().left;
  const shade = P.el('div', {class: 'stretch', hidden: true});
  let from = null;
  drawn.box.append(shade);
  const end = () => {
    from = null;
    shade.hidden = true;
  };
  drawn.box.addEventListener('pointerdown', event => {
    if (event.pointerType !== 'mouse' || event.button !== 0) return;
    from = left(event);
    drawn.box.setPointerCapture(event.pointerId);
  });
  drawn.box.addEventListener('pointermove', event => {
    if (from === null) return;
    const to = left(event);
    shade.hidden = Math.abs(to - from) < 6;
    shade.style.left = Math.min(from, to) + 'px';
    shade.style.width = Math.abs(to - from) + 'px';
  });
  drawn.box.addEventListener('pointerup', event => {
    const ends = from === null ? [] : [from, left(event)].sort((a, b) => a - b);
    end();
    const [a, b] = ends.map(x => Time.at(drawn, x));
    if (ends[1] - ends[0] >= 6 && a < b) Time.zoom(a, b);
  });
  drawn.box.addEventListener('pointercancel', end);
};

/* Returns the seconds between axis labels: a round time that divides the range into at most six intervals. */
Time.step = seconds => [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 28800].find(step => seconds / step <= 6)
  || 86400 * Math.ceil(seconds / 6 / 86400);

Time.option = chart => {
  const axis = Charts.axis();
  const [from, to] = Time.shown(Math.max(1, chart.t.length ? chart.t[chart.t.length - 1] : 1));
  const step = Time.step(to - from);
  const y = chart.log ? Charts.logRange(chart.lines.flatMap(l => l.values)) : {min: 0, minInterval: chart.whole ? 1 : undefined};
  return {
    grid: {left: Time.left, right: Time.right, top: 18, bottom: 24},
    xAxis: Object.assign({}, axis, {
      type: 'value', min: from, max: to, interval: step, splitLine: {show: false},
      // Labels at ends that are not multiples of the step would overlap their neighbors.
      axisLabel: Object.assign({}, axis.axisLabel, {formatter: F.clock, hideOverlap: true, showMinLabel: from % step === 0, showMaxLabel: to % step === 0}),
    }),
    yAxis: Object.assign({}, axis, y, {
      type: chart.log ? 'log' : 'value', splitNumber: 4, axisLine: {show: false},
      axisLabel: Object.assign({}, axis.axisLabel, {formatter: value => (chart.axis || chart.format)(value)}),
    }),
    series: chart.lines.map((line, i) => Time.series(chart, line, i)),
  };
};

Time.series = (chart, line, i) => {
  const color = P.color(line.color);
  const series = {
    type: 'line', name: line.name, showSymbol: true, symbol: 'none', symbolSize: 4, connectNulls: false,
    step: false, silent: true, color, clip: true,
    lineStyle: {width: line.width || (line.dashed ? 1.3 : 1.6), type: line.dashed ? (line.dashed === true ? [5, 4] : line.dashed) : 'solid', color},
    z: chart.stack ? 20 - i : 2,
    areaStyle: chart.stack ? {opacity: 1, color, origin: 0} : undefined,
    data: chart.stack ? Time.bridged(chart.t.map((at, k) => [at, Time.below(chart, i, k)])) : chart.t.map((at, k) => {
      const value = chart.hidden.has(i) ? null : line.values[k];
      const point = [at, P.known(value) && (!chart.log || value > 0) ? value : null];
      // A line with a single point would be invisible.
      const alone = point[1] !== null && !P.known(line.values[k - 1]) && !P.known(line.values[k + 1]);
      return alone ? {value: point, symbol: 'circle'} : point;
    }),
  };
  if (chart.stack) series.lineStyle.width = 0;
  if (i === 0) Object.assign(series, Time.marks(chart));
  return series;
};

/* Returns the sum of lines 0 to i, because stacked lines are drawn as sums; null if all values are unknown. */
Time.below = (chart, i, k) => {
  if (chart.lines.every(l => !P.known(l.values[k]))) return null;
  return chart.lines.slice(0, i + 1).reduce((sum, l, j) => sum + (chart.hidden.has(j) ? 0 : l.values[k] || 0), 0);
};

/*
 * Brokers may be sampled only every few seconds: an area bridges gaps of up to twice the median interval. An isolated
 * point is one second wide.
 */
Time.bridged = points => {
  const known = points.filter(p => P.known(p[1]));
  const gaps = known.slice(1).map((p, k) => p[0] - known[k][0]).sort((a, b) => a - b);
  const usual = gaps[gaps.length >> 1] || 1;
  const near = (a, b) => a && b && b[0] - a[0] <= 2 * usual;
  return known.flatMap((p, k) => {
    if (near(p, known[k + 1])) return [p];
    return near(known[k - 1], p) ? [p, [p[0], null]] : [[p[0] - 0.5, p[1]], [p[0] + 0.5, p[1]], [p[0] + 0.5, null]];
  });
};

/*
 * Returns the slow moments to show in a chart of latencies. Response times end before a record is read, so their charts
 * omit moments in later stages.
 */
Time.slow = chart => (chart.log ? P.list(chart.trial.slowMoments) : [])
  .filter(moment => !/^(response|service|label-produce)/.test(chart.id) || !['fetch', 'poll', 'work'].includes(moment.stage));
Time.slowAt = (drawn, x) => Time.slow(drawn.spec.time)
  .map(moment => [moment, [moment.fromSeconds, moment.toSeconds].map(at => drawn.instance.convertToPixel({xAxisIndex: 0}, at))])
  .filter(([, [from, to]]) => from - 4 <= x && x <= to + 4)
  .map(([moment]) => moment)[0];

/* Warm-up, drain and slow moments are shaded. A fault has a line at its start, and a shade until its end. */
Time.marks = chart => {
  const trial = chart.trial;
  const end = chart.t.length ? chart.t[chart.t.length - 1] : 0;
  const areas = [];
  const shade = {itemStyle: {color: P.color('shade')}};
  const [from, to] = Time.shown(Math.max(1, end));
  const pixels = seconds => seconds / (to - from) * ((chart.box ? chart.box.clientWidth : Export.width) - Time.left - Time.right);
  // A label is above the curves, if it fits.
  const area = (a, b, name) => areas.push([Object.assign({
    xAxis: a, name: pixels(Math.min(b, to) - Math.max(a, from)) > Charts.wide(name) + 10 ? name : '',
  }, shade), {xAxis: b}]);
  const warmup = trial.warmupSeconds || 0;
  if (warmup > 0) area(0, Math.min(warmup, end), P.t('time.warmup'));
  const drain = warmup + (trial.measuredSeconds || 0);
  if (trial.complete && end - drain > 0.4) area(drain, end, P.t('time.drain'));
  const lines = [];
  P.list(trial.faults).forEach((fault, i) => {
    const at = P.known(fault.inEffect) ? fault.inEffect : fault.asked;
    // Numbers of faults that are close to each other would overlap.
    const near = lines.some(l => l.name && Math.abs(pixels(at - l.xAxis)) < Charts.wide(l.name) + 8);
    lines.push({xAxis: at, name: near ? '' : String(i + 1)});
    if (P.known(fault.over) && fault.over > at) {
      const color = {itemStyle: {color: P.color('bad'), opacity: 0.09}};
      areas.push([Object.assign({xAxis: at}, color), {xAxis: fault.over}]);
    }
  });
  for (const moment of Time.slow(chart)) {
    const least = 3 / pixels(1);
    const color = {itemStyle: {color: P.color('warn'), opacity: 0.35}};
    areas.push([Object.assign({xAxis: moment.fromSeconds}, color), {xAxis: Math.max(moment.toSeconds, moment.fromSeconds + least)}]);
  }
  return {
    markArea: {silent: true, animation: false, label: {color: P.color('muted'), fontSize: 10, position: 'top'}, data: areas},
    markLine: {
      silent: true, animation: false, symbol: 'none', data: lines,
      lineStyle: {color: P.color('bad'), width: 1, type: 'solid'},
      label: {formatter: p => p.name, color: P.color('bad'), fontSize: 10, distance: 1, position: 'end'},
    },
  };
};

/* The pointer and the arrow keys move one cursor through all charts. */
Time.listen = (drawn, chart) => {
  const cursor = P.el('div', {class: 'cursor'});
  drawn.box.append(cursor);
  Object.assign(chart, {cursor, box: drawn.box});
  Time.drag(drawn);
  let down = null;
  drawn.box.addEventListener('pointerdown', event => { down = event.clientX; });
  drawn.box.addEventListener('click', event => {
    const moment = Time.slowAt(drawn, event.clientX - drawn.box.getBoundingClientRect().left);
    if (moment && Math.abs(event.clientX - down) < 6) Sections.showSlow(moment);
  });
  // The pointer can move several times per frame. The cursor moves once.
  let x = null;
  drawn.box.addEventListener('pointermove', event => {
    if (x === null) {
      requestAnimationFrame(() => {
        if (x !== null) drawn.box.classList.toggle('leads', Boolean(Time.slowAt(drawn, x)));
        if (x !== null) Time.point(chart.t[Time.nearest(chart.t, drawn.instance.convertFromPixel({xAxisIndex: 0}, x))]);
        x = null;
      });
    }
    x = event.clientX - drawn.box.getBoundingClientRect().left;
  });
  drawn.box.addEventListener('pointerleave', () => {
    x = null;
    Time.point(null);
  });
  drawn.box.addEventListener('blur', () => Time.point(null));
  drawn.box.addEventListener('keydown', event => {
    const steps = {ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -1e9, End: 1e9}[event.key];
    if (event.key === 'Escape') {
      if (Time.last === null) Time.zoom(null, null);
      else Time.point(null);
    }
    // [ and ] set the start and end of the visible range to the cursor.
    const {last} = Time;
    if (event.key === '[' && last !== null) Time.zoom(last, Time.to > last ? Time.to : null);
    if (event.key === ']' && last !== null) Time.zoom(Time.from < last ? Time.from : null, last);
    if (steps === undefined) return;
    event.preventDefault();
    const [least, most] = Time.shown(chart.t[chart.t.length - 1]).map(second => Time.nearest(chart.t, second));
    const from = last === null ? (steps > 0 ? least - 1 : most + 1) : Time.nearest(chart.t, last);
    Time.point(chart.t[Math.max(least, Math.min(most, from + steps))]);
    drawn.box.setAttribute('aria-label', Time.spoken(chart));
  });
};

Time.nearest = (t, at) => {
  let low = 0;
  let high = t.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (t[middle] < at) low = middle + 1;
    else high = middle;
  }
  return low > 0 && at - t[low - 1] < t[low] - at ? low - 1 : low;
};

Time.spoken = chart => chart.title + ', ' + F.clock(Time.last) + ': '
  + chart.lines.map(l => l.name + ' ' + chart.format(l.values[Time.nearest(chart.t, Time.last)])).join(', ');

/* Moves the cursor to this second, or hides it. Charts of different trials have different times. */
Time.point = second => {
  if (second !== null && second === Time.last) return;
  Time.last = second;
  const note = document.getElementById('time-cursor');
  for (const {spec, instance} of P.charts) {
    const chart = spec.time;
    if (!chart || !chart.cursor) continue;
    const known = second !== null && second <= chart.t[chart.t.length - 1];
    const index = known ? Time.nearest(chart.t, second) : null;
    chart.show(index);
    chart.cursor.style.display = known ? 'block' : 'none';
    if (known) chart.cursor.style.transform = `translateX(${instance.convertToPixel({xAxisIndex: 0}, chart.t[index])}px)`;
  }
  if (note) note.textContent = second === null ? Time.hint() : P.t('time.at', F.clock(second));
};
