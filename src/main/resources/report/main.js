/* Puts the page together, and together again in another language or for another trial. */
const Main = {
  order: ['verdict', 'key', 'ceiling', 'trials', 'time', 'faults', 'latency', 'skew', 'requests', 'audit', 'cause', 'environment', 'reproduce', 'download'],
  ofTrial: ['key', 'trials', 'time', 'latency', 'skew', 'requests'],
};

Main.render = () => {
  Charts.dispose();
  document.documentElement.lang = P.language;
  document.title = (P.data.result.name || '') + ' · Plimsoll';
  for (const node of document.querySelectorAll('[data-text]')) node.textContent = P.t(node.dataset.text);
  for (const node of document.querySelectorAll('[data-label]')) node.setAttribute('aria-label', P.t(node.dataset.label));
  const sections = Main.order.map(id => Sections[id]()).filter(Boolean);
  document.getElementById('main').replaceChildren(...sections);
  document.getElementById('contents').replaceChildren(...sections.filter(s => s.querySelector('h2')).map(s =>
    P.el('a', {href: '#' + s.id}, P.t('nav.' + s.id))));
  document.getElementById('language').textContent = P.t('page.otherLanguage');
  Main.themeButton();
  document.getElementById('footer').replaceChildren(P.t('page.footer', (P.data.result.tool || {}).version || ''));
  Charts.drawAll();
  document.documentElement.dataset.ready = String(Number(document.documentElement.dataset.ready || 0) + 1);
};

Main.themeButton = () => {
  document.getElementById('theme').textContent = P.t(P.theme() === 'dark' ? 'page.light' : 'page.dark');
};

/* Shows another trial where one at a time is shown, and keeps the place on the page. */
Main.choose = name => {
  P.trial = name;
  const focused = document.activeElement && document.activeElement.closest('section');
  const y = window.scrollY;
  Main.render();
  window.scrollTo({top: y, behavior: 'instant'});
  const again = focused && document.querySelector('#' + focused.id + ' select, #' + focused.id + ' tr.chosen button');
  if (again) again.focus({preventScroll: true});
};

/* Of a search, what passed with the highest load; otherwise the first. */
Main.firstTrial = () => {
  const ceilings = P.list(P.data.result.ceilings);
  const paced = P.trials().filter(t => t.produce && !t.produce.closedLoop && P.known(t.produce.offeredRecordsPerSecond));
  if (ceilings.length === 0 || paced.length === 0) return (P.trials()[0] || {}).name;
  const bound = (ceilings[0].withinSlo || ceilings[0].sustained || {}).lowerRecordsPerSecond || 0;
  const far = t => Math.abs(t.produce.offeredRecordsPerSecond - bound);
  return paced.reduce((best, t) => (far(t) <= far(best) ? t : best)).name;
};

Main.start = () => {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const chosen = P.recall('theme');
  P.setTheme(chosen || (dark.matches ? 'dark' : 'light'));
  dark.addEventListener('change', () => {
    if (!P.recall('theme')) Main.setTheme(dark.matches ? 'dark' : 'light');
  });
  document.getElementById('theme').addEventListener('click', () => {
    const theme = P.theme() === 'dark' ? 'light' : 'dark';
    P.remember('theme', theme);
    Main.setTheme(theme);
  });
  document.getElementById('language').addEventListener('click', () => {
    P.language = P.language === 'en' ? 'zh' : 'en';
    Main.render();
  });
  let pending = 0;
  window.addEventListener('resize', () => {
    cancelAnimationFrame(pending);
    pending = requestAnimationFrame(() => Charts.resizeAll());
  });
  let before = null;
  window.addEventListener('beforeprint', () => {
    before = P.theme();
    Main.setTheme('light');
    Charts.resizeAll(c => (c.spec.wide ? 640 : 312));
  });
  window.addEventListener('afterprint', () => {
    Main.setTheme(before || 'light');
    Charts.resizeAll();
  });
  P.trial = Main.firstTrial();
  Main.render();
};

Main.setTheme = theme => {
  P.setTheme(theme);
  Main.themeButton();
  Charts.drawAll();
};

Main.start();
