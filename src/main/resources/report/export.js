/* Exports charts as pictures and tables as text. Pictures have the light theme, and include title, legend and unit. */
const Export = {width: 960, height: 400, scale: 2};

Export.name = id => ((P.data.result || {}).name || 'plimsoll') + '-' + id;

Export.save = (name, blob) => {
  const url = URL.createObjectURL(blob);
  P.el('a', {href: url, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
};

/* Returns the ECharts option of a picture, with the title, unit and legend that the page shows around the chart. */
Export.option = chart => {
  const {spec} = chart;
  const option = Object.assign(Charts.base(), spec.option());
  const muted = {color: P.color('muted'), fontSize: 12};
  const names = P.list(option.series).map(s => s.name).filter(name => name);
  const grids = [].concat(option.grid || {});
  option.backgroundColor = '#ffffff';
  // Quotes in font names would end an attribute of the SVG file.
  option.textStyle = {fontFamily: 'sans-serif'};
  option.title = {text: spec.title, subtext: spec.unit || '', left: 14, top: 8, itemGap: 9, textStyle: {color: P.color('text'), fontSize: 16}, subtextStyle: muted};
  if (names.length > 1 && !(option.legend && option.legend.show)) {
    option.legend = {data: names, top: 58, left: 50, itemWidth: 16, itemHeight: 3, icon: 'rect', textStyle: muted};
  } else if (option.legend) {
    option.legend = Object.assign({}, option.legend, {top: 58});
  }
  option.grid = grids.map(grid => Object.assign({}, grid, {top: 72 + Math.max(18, Number(grid.top) || 0)}));
  delete option.tooltip;
  return option;
};

Export.svg = chart => {
  const theme = P.theme();
  // Colors are read from the page, so it has the light theme during this call.
  P.setTheme('light');
  try {
    const height = Export.height + Math.max(0, chart.box.clientHeight - 190);
    const picture = echarts.init(null, null, {renderer: 'svg', ssr: true, width: Export.width, height});
    picture.setOption(Export.option(chart));
    const text = picture.renderToSVGString();
    picture.dispose();
    return {text, height};
  } finally {
    P.setTheme(theme);
  }
};

Export.png = chart => new Promise((resolve, reject) => {
  const {text, height} = Export.svg(chart);
  const image = new Image();
  image.onload = () => {
    const canvas = P.el('canvas', {width: Export.width * Export.scale, height: height * Export.scale});
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob(resolve, 'image/png');
  };
  image.onerror = reject;
  image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(text);
});

Export.chartButtons = id => {
  const chart = () => P.charts.find(c => c.spec.id === id);
  return P.el('span', {class: 'save'},
    P.el('button', {type: 'button', 'aria-label': P.t('save.picture', 'SVG'), onclick: () => Export.save(Export.name(id) + '.svg', new Blob([Export.svg(chart()).text], {type: 'image/svg+xml'}))}, 'SVG'),
    P.el('button', {type: 'button', 'aria-label': P.t('save.picture', 'PNG'), onclick: () => Export.png(chart()).then(blob => Export.save(Export.name(id) + '.png', blob))}, 'PNG'));
};

/* Returns CSV for spreadsheets: numbers without units if the row has numbers, and texts in quotes if necessary. */
Export.csv = (columns, rows) => {
  // An apostrophe prevents a spreadsheet from evaluating the text as a formula.
  const harmless = value => (/^[=+\-@\t\r]/.test(value) && !/^[-+]?\d[\d.,]*(e[-+]?\d+)?( ?[%\p{L}/]+)?$|^-$/iu.test(value) ? "'" + value : value);
  const cell = text => {
    const value = harmless(text);
    return /[",\n]/.test(value) ? '"' + value.replaceAll('"', '""') + '"' : value;
  };
  const text = (column, row) => {
    const value = column.value ? column.value(row) : null;
    const shown = column.text ? column.text(row) : value;
    if (column.number && typeof value === 'number') return String(value);
    return P.known(shown) ? (shown instanceof Node ? shown.textContent : String(shown)) : '';
  };
  return [columns.map(c => String(c.name)), ...rows.map(row => columns.map(c => text(c, row)))].map(line => line.map(cell).join(',') + '\r\n').join('');
};

/* Copies the whole table to the clipboard as one table, even if the page splits it into several. */
Export.copy = (columns, rows, options, button) => {
  const whole = Tables.make(columns, rows, options);
  whole.classList.add('aside');
  document.body.append(whole);
  const range = document.createRange();
  range.selectNode(whole.querySelector('table'));
  const selection = getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
  document.execCommand('copy');
  selection.removeAllRanges();
  whole.remove();
  button.textContent = P.t('save.copied');
  setTimeout(() => {
    button.textContent = P.t('save.copy');
  }, 2000);
};

Export.tableButtons = (columns, rows, options) => P.el('span', {class: 'save'},
  P.el('button', {type: 'button', 'aria-label': P.t('save.copyTable', options.caption), onclick: event => Export.copy(columns, rows, options, event.target)}, P.t('save.copy')),
  P.el('button', {type: 'button', 'aria-label': P.t('save.table', options.caption), onclick: () => Export.save(Export.name('table') + '.csv', new Blob(['\ufeff' + Export.csv(columns, rows)], {type: 'text/csv'}))}, 'CSV'));
