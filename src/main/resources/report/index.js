/* The runs of a directory. */
const Index = {};

Index.render = () => {
  Controls.texts();
  const runs = P.list(P.data.runs);
  const state = run => (!P.known(run.passed) ? ['', 'verdict.cut'] : run.passed ? ['good', 'verdict.passed'] : ['bad', 'verdict.failed']);
  const link = run => '/run' + (location.search ? location.search + '&' : '?') + 'name=' + encodeURIComponent(run.directory);
  const table = Tables.make([
    Tables.text(P.t('index.run'), r => r.directory, r => P.el('a', {href: link(r)}, r.name || r.directory)),
    Tables.text(P.t('index.started'), r => r.startedAt, r => F.time(r.startedAt)),
    Tables.text(P.t('verdict.title'), r => String(r.passed), r => P.el('span', {class: 'badge ' + state(r)[0]}, P.t(state(r)[1]))),
    Tables.text(P.t('index.sentence'), r => r.sentence),
  ], runs, {caption: P.t('index.caption', runs.length, P.data.directory), sortable: true});
  document.getElementById('main').replaceChildren(P.el('section', {id: 'runs'},
    P.el('h2', {}, P.t('index.title')),
    runs.length > 0 ? table : P.el('p', {class: 'note'}, P.t('index.none', P.data.directory))));
  document.documentElement.dataset.ready = '1';
};

Controls.start({theme: () => {}, language: Index.render});
Index.render();
