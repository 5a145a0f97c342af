/* Renders the report page, and renders it again for another language or another trial. */
const Main = {
  order: ['verdict', 'key', 'ceiling', 'cause', 'trials', 'labels', 'latency', 'time', 'faults', 'skew', 'slow', 'requests', 'workers', 'audit', 'environment', 'reproduce', 'download'],
  ofTrial: ['key', 'trials', 'labels', 'time', 'latency', 'skew', 'slow', 'requests', 'workers'],
};

Main.render = () => {
  Charts.dispose();
  Time.last = null;
  Controls.texts();
  const sections = Main.order.map(id => Sections[id]()).filter(Boolean);
  document.getElementById('main').replaceChildren(...sections);
  document.getElementById('contents').replaceChildren(...sections.filter(s => s.querySelector('h2')).map(s =>
    P.el('a', {href: '#' + s.id}, P.t('nav.' + s.id))));
  document.getElementById('footer').replaceChildren(P.t('page.footer', (P.data.result.tool || {}).version || ''));
  Charts.drawAll();
  Controls.shown();
};

/* Renders the page again, but keeps the scroll position and the keyboard focus. */
Main.renderInPlace = () => {
  const y = window.scrollY;
  const {id} = document.activeElement || {};
  Main.render();
  window.scrollTo({top: y, behavior: 'instant'});
  if (id && document.getElementById(id)) document.getElementById(id).focus({preventScroll: true});
};

/* Renders one section again, unless it has the focus. */
Main.replace = id => {
  const old = document.getElementById(id);
  if (!old || old.contains(document.activeElement)) return;
  const inside = P.charts.filter(c => old.contains(c.box));
  inside.forEach(c => c.instance && c.instance.dispose());
  P.charts = P.charts.filter(c => !inside.includes(c));
  const before = P.charts.length;
  // A section without content is null.
  old.replaceWith(...[Sections[id]()].filter(Boolean));
  P.charts.slice(before).forEach(Charts.draw);
  Tables.fit();
};

/* Selects the trial for the sections that show one trial, and keeps the scroll position. */
Main.choose = name => {
  P.trial = name;
  Live.chosen = true;
  Object.assign(Time, {from: null, to: null});
  View.write();
  const focused = document.activeElement && document.activeElement.closest('section');
  Main.renderInPlace();
  const again = focused && document.querySelector('#' + focused.id + ' select, #' + focused.id + ' tr.chosen button');
  if (again) again.focus({preventScroll: true});
};

/* Returns the name of the initial trial: for a search, the load closest to the lower bound; otherwise the first. */
Main.firstTrial = () => {
  const ceilings = P.list(P.data.result.ceilings);
  const paced = P.trials().filter(t => t.produce && !t.produce.closedLoop && P.known(t.produce.offeredRecordsPerSecond));
  if (ceilings.length === 0 || paced.length === 0) return (P.trials()[0] || {}).name;
  const bound = (ceilings[0].withinSlo || ceilings[0].sustained || {}).lowerRecordsPerSecond || 0;
  const far = t => Math.abs(t.produce.offeredRecordsPerSecond - bound);
  return paced.reduce((best, t) => (far(t) <= far(best) ? t : best)).name;
};

Main.start = () => {
  Controls.start({
    theme: Charts.drawAll,
    language: () => {
      Main.render();
      if (Live.source) Live.bar(Live.message);
    },
  });
  Charts.listen();
  // With this fragment, the page is printed as a one-page summary, even by a headless browser.
  if (location.hash === '#one-page') document.documentElement.dataset.print = 'one';
  View.start();
  Main.render();
  View.go();
  Live.start();
};

Main.start();
