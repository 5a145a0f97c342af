/* Language, theme, and the texts that all pages share. */
const Controls = {
  changed: null,
  titles: [['result', 'page.untitled'], ['comparison', 'compare.title'], ['capacity', 'capacity.title'], ['figures', 'history.title'], ['runs', 'index.title'], ['rows', 'gallery.title'], ['sheet', 'sheet.title'], ['watch', 'watch.signals']],
};

/* changed: {theme: () => {}, language: () => {}}, which redraw the parts that depend on the theme or the language. */
Controls.start = changed => {
  Controls.changed = changed;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  P.setTheme(P.recall('theme') || (dark.matches ? 'dark' : 'light'));
  dark.addEventListener('change', () => {
    if (!P.recall('theme')) Controls.setTheme(dark.matches ? 'dark' : 'light');
  });
  document.getElementById('theme').addEventListener('click', () => {
    const theme = P.theme() === 'dark' ? 'light' : 'dark';
    P.remember('theme', theme);
    Controls.setTheme(theme);
  });
  document.getElementById('language').addEventListener('click', () => {
    P.language = P.language === 'en' ? 'zh' : 'en';
    P.remember('language', P.language);
    changed.language();
  });
};

Controls.setTheme = theme => {
  P.setTheme(theme);
  Controls.themeButton();
  Controls.changed.theme();
};

Controls.themeButton = () => {
  document.getElementById('theme').textContent = P.t(P.theme() === 'dark' ? 'page.light' : 'page.dark');
};

Controls.texts = () => {
  document.documentElement.lang = P.language;
  const [, title] = Controls.titles.find(([part]) => P.data[part]);
  document.title = ((P.data.result || {}).name || P.t(title)) + ' · Plimsoll';
  for (const node of document.querySelectorAll('[data-text]')) node.textContent = P.t(node.dataset.text);
  for (const node of document.querySelectorAll('[data-label]')) node.setAttribute('aria-label', P.t(node.dataset.label));
  document.getElementById('language').textContent = P.t('page.otherLanguage');
  Controls.themeButton();
};

/* After each rendering: fits the tables, and increments data-ready, for which browser tests wait. */
Controls.shown = () => {
  Tables.fit();
  document.documentElement.dataset.ready = String(Number(document.documentElement.dataset.ready || 0) + 1);
};
