/* The page of a run in progress, which receives updates once per second. */
const Live = {chosen: false, source: null, message: null};

Live.start = () => {
  if (!P.data.live) return;
  Live.bar(null);
  Live.source = new EventSource('events' + location.search);
  const on = (name, take) => Live.source.addEventListener(name, event => take(JSON.parse(event.data)));
  on('page', Live.page);
  on('news', Live.news);
  on('end', Live.end);
  Live.source.addEventListener('error', () => Live.bar('live.lost'));
};

/* Describes the state of a ceiling search: the trial and its load, the bounds, and the objective. */
Live.search = s => {
  const load = value => (s.inBytes ? F.byteRate : F.perSecond)(value);
  return [
    P.t('live.search', s.trial, P.known(s.load) ? load(s.load) : P.t('key.unlimited')),
    P.known(s.lower) && P.t('live.lower', load(s.lower)), P.known(s.upper) && P.t('live.upper', load(s.upper)),
    P.t('live.objective', s.objective || P.t('ceiling.sustained')),
  ].filter(Boolean).join(' · ');
};

Live.bar = message => {
  Live.message = message;
  const bar = document.getElementById('live');
  const p = P.data.progress || {};
  const percent = p.fraction >= 0 ? Math.round(100 * p.fraction) : null;
  bar.hidden = false;
  const text = message ? P.t(message, P.data.report || '') : [p.trial, P.term('report.phase.', p.phase), percent === null ? null : percent + ' %',
    p.etaSeconds > 0 ? P.t('live.left', F.seconds(p.etaSeconds)) : null,
    p.elapsedSeconds > 0 ? P.t('live.elapsed', F.seconds(p.elapsedSeconds)) : null,
    p.held && p.held.length + p.missed.length > 0 ? P.t('live.checks', p.held.length, p.held.length + p.missed.length) : null,
    ...(p.missed || []).map(check => '✗ ' + check)].filter(Boolean).join(' · ');
  if (!bar.firstChild) {
    const stop = P.el('button', {type: 'button', class: 'danger', id: 'stop', onclick: Live.stop});
    bar.append(P.el('div', {}, P.el('strong', {id: 'live-text', 'aria-live': 'off'}), P.el('progress', {max: 100}), stop, P.el('span', {id: 'live-search'})));
  }
  document.getElementById('stop').textContent = P.t('live.stop');
  document.getElementById('stop').hidden = !P.data.live || !View.secret;
  document.getElementById('live-text').textContent = text;
  document.getElementById('live-search').textContent = p.search && !message ? Live.search(p.search) : '';
  const progress = bar.querySelector('progress');
  progress.setAttribute('aria-label', P.t('live.progress'));
  progress.hidden = Boolean(message);
  if (percent === null) progress.removeAttribute('value');
  else progress.value = percent;
};

Live.stop = async () => {
  const button = document.getElementById('stop');
  button.disabled = true;
  const answer = await fetch('stop' + location.search, {method: 'POST', headers: {'X-Plimsoll-Stop': View.secret}}).catch(() => null);
  button.disabled = Boolean(answer && answer.ok);
};

/* Replaces the whole page, because more than the time series has changed. */
Live.page = page => {
  Object.assign(P.data, page);
  const last = P.trials()[P.trials().length - 1];
  if (!Live.chosen && last) P.trial = last.name;
  Main.renderInPlace();
  Live.bar(null);
};

Live.news = news => {
  P.data.progress = news.progress;
  for (const trial of news.trials) {
    const i = P.trials().findIndex(t => t.name === trial.name);
    if (i >= 0) P.data.result.trials[i] = Object.assign({}, P.data.result.trials[i], trial, {partitions: P.data.result.trials[i].partitions});
  }
  const grown = news.seconds.map(Live.add).some(Boolean);
  if (news.seconds.some(s => s.trial === P.trial)) {
    if (grown || !document.querySelector('#time .chart')) Main.replace('time');
    else P.charts.filter(c => c.spec.time).forEach(Charts.draw);
    Main.replace('key');
    Main.replace('trials');
    Main.replace('labels');
  }
  Live.bar(null);
};

/* Inserts a second into the columns in order of time. Returns whether a new column was added. */
Live.add = second => {
  if (!Object.hasOwn(P.data.series, second.trial)) {
    P.data.series[second.trial] = {t: [], columns: {}, secondsPerStretch: 1, heat: [], heatSeconds: 1, spectra: {}};
  }
  const series = P.data.series[second.trial];
  let i = series.t.length;
  while (i > 0 && series.t[i - 1] > second.t) i--;
  const there = i > 0 && series.t[i - 1] === second.t;
  if (there) i--;
  else {
    series.t.splice(i, 0, second.t);
    Object.values(series.columns).forEach(values => values.splice(i, 0, null));
  }
  let grown = false;
  for (const [name, value] of Object.entries(second.columns)) {
    if (!Object.hasOwn(series.columns, name)) {
      series.columns[name] = series.t.map(() => null);
      grown = true;
    }
    series.columns[name][i] = value;
  }
  return grown;
};

Live.end = page => {
  Live.source.close();
  Object.assign(P.data, page);
  Main.renderInPlace();
  Live.bar('live.ended');
};
