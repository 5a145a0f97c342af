/* What is looked at, as the end of the address, so that a link leads there: #trial=NAME&from=SECONDS&to=SECONDS&section=ID. */
const View = {section: null};

/* Of the address; what it does not say is as it was at first. False if it says nothing, or names a place alone. */
View.read = () => {
  const words = new URLSearchParams(location.hash.slice(1));
  const seconds = key => (words.get(key) && Number.isFinite(Number(words.get(key))) ? Number(words.get(key)) : null);
  // A trial that is not here is not shown, and so no address says that it is.
  Live.chosen = P.trials().some(t => t.name === words.get('trial'));
  P.trial = Live.chosen ? words.get('trial') : Main.firstTrial();
  View.section = words.get('section');
  Time.from = seconds('from');
  Time.to = seconds('to');
  return ['trial', 'from', 'to', 'section'].some(key => words.has(key));
};

/* Other words of the address, such as what stops a run, stay. */
View.write = () => {
  const words = new URLSearchParams(location.hash.includes('=') ? location.hash.slice(1) : '');
  const say = (key, value) => (P.known(value) ? words.set(key, value) : words.delete(key));
  say('trial', Live.chosen ? P.trial : null);
  say('from', Time.from);
  say('to', Time.to);
  say('section', View.section);
  history.replaceState(null, '', '#' + words);
};

/* To the section that is named, or to the stretch of time. */
View.go = () => {
  const place = document.getElementById(View.section || (P.known(Time.from) ? 'time' : ''));
  if (place) place.scrollIntoView({behavior: 'instant'});
};

View.start = () => {
  Time.zoomed = View.write;
  View.read();
  window.addEventListener('hashchange', () => {
    if (location.hash.includes('=')) {
      View.read();
      Main.renderInPlace();
      View.go();
    } else if (Live.chosen || P.known(Time.from)) {
      View.section = location.hash.slice(1);
      View.write();
    }
  });
};
