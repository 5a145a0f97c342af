// What a reader would stumble over on this page at its present width: clipped tables, labels that meet, empty sections and charts.
const found = [];
const visible = element => element.getClientRects().length > 0 && element.checkVisibility();
const nameOf = element => (element.closest('section') || {}).id + ' ' + (element.getAttribute('aria-label') || element.id || element.className);

if (document.documentElement.scrollWidth > innerWidth) found.push('the page is ' + document.documentElement.scrollWidth + ' px wide');
for (const box of document.querySelectorAll('.scroll, figure, .tiles, .sentence, .panel')) {
  if (visible(box) && box.scrollWidth > box.clientWidth + 1) found.push('clipped: ' + nameOf(box) + ', ' + box.scrollWidth + ' px in ' + box.clientWidth);
}
// Cells whose words were broken into columns of single words.
for (const cell of document.querySelectorAll('td, tbody th')) {
  const words = cell.innerText.trim().split(/\s+/).length;
  const height = cell.getBoundingClientRect().height;
  const range = document.createRange();
  range.selectNodeContents(cell);
  const lines = new Set([...range.getClientRects()].map(r => Math.round(r.top / 8))).size;
  if (visible(cell) && words >= 4 && lines >= words) found.push('a word a line: ' + nameOf(cell) + ' "' + cell.textContent.trim().slice(0, 40) + '", ' + Math.round(height) + ' px');
}
for (const section of document.querySelectorAll('main > section')) {
  const content = [...section.children].filter(c => !/^H\d$/.test(c.tagName) && !c.matches('.lead, .chooser') && visible(c));
  if (visible(section) && content.length === 0) found.push('empty section: ' + section.id);
  if (visible(section) && /(^|\s)[a-z]+[A-Z]\w*( · |\s·)|( · )[a-z]+[A-Z]\w*/.test(section.innerText.replace(/`[^`]*`/g, '')) && section.id === 'environment') {
    found.push('raw key in ' + section.id + ': ' + section.innerText.match(/[^\n]*( · )[a-z]+[A-Z]\w*[^\n]*/)[0].slice(0, 60));
  }
}
for (const chart of (window.P && P.charts) || []) {
  if (!chart.instance || !visible(chart.box)) continue;
  const id = chart.spec.id;
  const option = chart.instance.getOption();
  const points = series => series.data.filter(d => {
    const value = Array.isArray(d) ? d : d && typeof d === 'object' ? d.value : d;
    const y = Array.isArray(value) ? value[1] : value;
    return y !== null && y !== undefined && y !== '-';
  });
  if (option.series.length === 0 || option.series.every(s => points(s).length === 0)) found.push('empty chart: ' + id);
  // A stacked area needs two neighbours; where each is alone, nothing is drawn.
  for (const series of option.series.filter(s => s.type === 'line' && s.areaStyle)) {
    const known = series.data.map(d => (Array.isArray(d) ? d[1] : d.value[1]) !== null);
    if (known.some(Boolean) && !known.some((k, i) => k && known[i + 1])) found.push('nothing drawn: ' + id + ' ' + series.name);
  }
  const texts = chart.instance.getZr().storage.getDisplayList(true).filter(e => (e.type === 'tspan' || e.type === 'text') && !e.ignore && !e.invisible && e.style && String(e.style.text || '').trim());
  const boxes = texts.map(e => {
    const box = e.getBoundingRect().clone();
    const transform = e.getComputedTransform && e.getComputedTransform();
    if (transform) box.applyTransform(transform);
    return {text: e.style.text, box};
  });
  boxes.forEach((a, i) => {
    if (a.box.x < -1 || a.box.x + a.box.width > chart.instance.getWidth() + 1) found.push('cut label: ' + id + ' "' + a.text + '"');
    for (const b of boxes.slice(i + 1)) {
      const x = Math.min(a.box.x + a.box.width, b.box.x + b.box.width) - Math.max(a.box.x, b.box.x);
      const y = Math.min(a.box.y + a.box.height, b.box.y + b.box.height) - Math.max(a.box.y, b.box.y);
      if (x > 1 && y > 3) found.push('labels meet: ' + id + ' "' + a.text + '" and "' + b.text + '"');
    }
  });
}
return found;
