/* The index page: the runs of a directory. Selected runs can be compared. */
const Index = {ticked: new Set(), most: 8};

/* Returns the address of a page of these runs. The query of this page, such as the token, comes first. */
Index.address = (path, name, values) =>
  path + (location.search ? location.search + '&' : '?') + values.map(v => name + '=' + encodeURIComponent(v)).join('&');

/* Directory names begin with the time, so the oldest run comes first and becomes the baseline. */
Index.compare = () => {
  location.href = Index.address('/compare', 'run', [...Index.ticked].sort());
};

Index.tick = run => P.el('input', {
  type: 'checkbox', checked: Index.ticked.has(run.directory), 'aria-label': P.t('index.tick', run.directory),
  onchange: event => {
    if (event.target.checked) Index.ticked.add(run.directory);
    else Index.ticked.delete(run.directory);
    Index.count();
  },
});

Index.count = () => {
  const n = Index.ticked.size;
  const button = document.getElementById('compare');
  button.disabled = n < 2 || n > Index.most;
  button.textContent = n < 2 ? P.t('index.compare') : P.t('index.compareCount', n);
};

Index.render = () => {
  Controls.texts();
  const runs = P.list(P.data.runs);
  const state = run => (run.running ? ['', 'verdict.running'] : !P.known(run.outcome) ? ['', 'verdict.cut']
    : [Tables.outcomes[run.outcome][1], 'verdict.' + run.outcome]);
  const link = run => Index.address('/run', 'name', [run.directory]);
  const table = Tables.make([
    {name: P.t('index.ticked'), text: Index.tick, head: false, plain: true},
    {name: P.t('index.run'), value: r => r.directory, text: r => [P.el('a', {href: link(r)}, r.name || r.directory), P.list(r.arms).length > 0 && P.el('small', {}, 'A/B: ' + r.arms.join(' | '))].filter(Boolean), head: true},
    Tables.text(P.t('index.started'), r => r.startedAt, r => F.time(r.startedAt)),
    Tables.text(P.t('verdict.title'), r => String(r.outcome), r => P.el('span', {class: 'badge ' + state(r)[0]}, P.t(state(r)[1]))),
    Tables.text(P.t('index.sentence'), r => P.said(r.sentence)),
  ], runs, {caption: P.t('index.caption', runs.length, P.data.directory), sortable: true, class: 'cards'});
  document.getElementById('main').replaceChildren(P.el('section', {id: 'runs'},
    P.el('h1', {}, P.t('index.title')),
    runs.length > 1 && P.el('p', {class: 'chooser'},
      P.el('button', {type: 'button', id: 'compare', class: 'main', onclick: Index.compare}),
      P.el('span', {class: 'note'}, P.t('index.how', Index.most)),
      P.el('a', {href: '/history' + location.search, id: 'to-history'}, P.t('history.title'))),
    runs.length > 0 ? table : P.el('p', {class: 'note'}, P.t('index.none', P.data.directory))));
  if (runs.length > 1) Index.count();
  Controls.shown();
};

Controls.start({theme: () => {}, language: Index.render});
Index.render();
