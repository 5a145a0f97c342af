/* The current view as the fragment of the address, for links: #trial=NAME&from=SECONDS&to=SECONDS&section=ID. */
const View = {
  section: null,
  // The secret that stops the run. The printed address has it in its fragment, which browsers do not send.
  secret: null,
};

/* Reads the view from the address; missing parts get their defaults. Returns whether the address contains any part. */
View.read = () => {
  const words = new URLSearchParams(location.hash.slice(1));
  const seconds = key => (words.get(key) && Number.isFinite(Number(words.get(key))) ? Number(words.get(key)) : null);
  // An unknown trial is ignored, and is not written to the address.
  Live.chosen = P.trials().some(t => t.name === words.get('trial'));
  P.trial = Live.chosen ? words.get('trial') : Main.firstTrial();
  View.section = words.get('section');
  // Links to sections replace the fragment, so the secret is kept.
  View.secret = words.get('stop') || View.secret;
  Time.from = seconds('from');
  Time.to = seconds('to');
  return ['trial', 'from', 'to', 'section'].some(key => words.has(key));
};

/* Writes the view to the address, with the secret that stops the run, and keeps other parameters. */
View.write = () => {
  const words = new URLSearchParams(location.hash.includes('=') ? location.hash.slice(1) : '');
  const say = (key, value) => (P.known(value) ? words.set(key, value) : words.delete(key));
  say('stop', View.secret);
  say('trial', Live.chosen ? P.trial : null);
  say('from', Time.from);
  say('to', Time.to);
  say('section', View.section);
  history.replaceState(null, '', '#' + words);
};

/* Returns whether the time charts show a part of the trial. */
View.isZoomed = () => P.known(Time.from) || P.known(Time.to);

/* Scrolls to the named section, or else to the time charts if the address contains a range. */
View.go = () => {
  const place = document.getElementById(View.section || (View.isZoomed() ? 'time' : ''));
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
    } else if (Live.chosen || View.isZoomed() || View.secret) {
      View.section = location.hash.slice(1);
      View.write();
    }
  });
};
