/* Formats figures: a suitable unit for each value, about three significant digits, MB = 10^6 bytes. */
const F = {
  none: '–',
  numbers: {},
  // Cached, because creating a formatter per value would dominate the cost of cursor movements.
  number: (value, least, most) => (F.numbers[[least, most]] ||= new Intl.NumberFormat('en-US', {minimumFractionDigits: least, maximumFractionDigits: most})).format(value),
  decimals: (value, n) => F.number(value, n, n),
  short: value => {
    const size = Math.abs(value);
    return F.number(value, 0, size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
  },
  or: format => (value => (P.known(value) && Number.isFinite(value) ? format(value) : F.none)),
};
F.micros = F.or(us => {
  const size = Math.abs(us);
  if (size < 999.5) return F.decimals(us, 0) + ' µs';
  if (size < 99950) return F.decimals(us / 1e3, 1) + ' ms';
  if (size < 999500) return F.decimals(us / 1e3, 0) + ' ms';
  return F.decimals(us / 1e6, size < 9.995e6 ? 2 : size < 99.95e6 ? 1 : 0) + ' s';
});
/* Formats µs for an axis. A whole number has no decimal places: 10 ms instead of 10.0 ms. */
F.tick = us => F.micros(us).replace(/\.0+(?= )/, '');
F.millis = F.or(ms => (ms === 0 ? '0 ms' : F.micros(ms * 1e3)));
F.count = F.or(value => F.decimals(value, 0));
F.rate = F.or(value => F.decimals(value, Math.abs(value) < 99.95 && value !== Math.round(value) ? 1 : 0));
F.perSecond = F.or(value => F.rate(value) + '/s');
F.bytes = F.or(value => {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let i = 0;
  let size = value;
  while (Math.abs(size) >= 999.5 && i < units.length - 1) {
    size /= 1000;
    i++;
  }
  return F.short(size) + ' ' + units[i];
});
F.byteRate = F.or(value => F.bytes(value) + '/s');
F.megabytes = F.or(value => F.decimals(value / 1e6, Math.abs(value) < 9.995e6 ? 2 : 1));
F.cores = F.or(value => F.short(value));
F.percent = F.or(ratio => {
  const percent = ratio * 100;
  return F.decimals(percent, Math.abs(percent) >= 9.95 || percent === Math.round(percent) ? 0 : 1) + ' %';
});
F.seconds = F.or(s => {
  if (s < 9.95) return F.decimals(s, s === Math.round(s) ? 0 : s < 1 ? 2 : 1) + ' s';
  const whole = Math.round(s);
  if (whole < 60) return whole + ' s';
  const pad = n => String(n).padStart(2, '0');
  const h = Math.floor(whole / 3600);
  const m = Math.floor((whole % 3600) / 60);
  return h > 0 ? h + ' h ' + pad(m) + ' min' : m + ' min ' + pad(whole % 60) + ' s';
});
F.clock = s => {
  const whole = Math.max(0, Math.round(s));
  const pad = n => String(n).padStart(2, '0');
  const h = Math.floor(whole / 3600);
  const m = Math.floor((whole % 3600) / 60);
  return h > 0 ? h + ':' + pad(m) + ':' + pad(whole % 60) : m + ':' + pad(whole % 60);
};
/* Formats a timestamp in UTC, because readers are in different time zones. */
F.time = text => (text ? String(text).slice(0, 19).replace('T', ' ') + ' UTC' : F.none);
F.figure = (value, unit) => {
  if (!P.known(value)) return F.none;
  switch (unit) {
    case 'us': return F.micros(value);
    case 'bytes': return F.bytes(value);
    case 'bytes/s': return F.byteRate(value);
    case 'records/s': return F.rate(value) + ' ' + P.t('unit.recordsPerSecond');
    // With two decimals, a value could look like the limit that it misses.
    case 'ratio': return Math.abs(value) < 1 ? F.number(value, 0, 4) : F.short(value);
    // Rounded down, so that one bad second of a long run never shows as 100 %.
    case 'share of seconds': return F.number(Math.floor(value * 1e6 + 1e-6) / 1e4, 0, 4) + ' %';
    // Values below 1 have up to two significant digits, such as 0.0042.
    default: return value === Math.round(value) ? F.decimals(value, 0) : F.number(value, 0, Math.max(1, Math.min(6, 1 - Math.floor(Math.log10(Math.abs(value))))));
  }
};
/* Formats a value for a table. Rates have no unit, because it is in the header; bytes/s become MB/s. */
F.column = (value, unit) => ({'records/s': F.rate, 'bytes/s': F.megabytes}[unit] || (v => F.figure(v, unit)))(value);
/*
 * Formats settings by the last part of their paths, such as linger.ms for producers[0].config.linger.ms. If two last
 * parts are equal, the full paths are used.
 */
F.parameters = parameters => {
  const last = path => path.split(path.includes('.config.') ? '.config.' : '.').pop();
  const all = P.entries(parameters);
  const shared = path => all.filter(([other]) => last(other) === last(path)).length > 1;
  // The value of an A/B run's arm already names its setting.
  return all.map(([path, value]) => (path === 'arm' ? '' : (shared(path) ? path : last(path)) + '=') + value).join(', ');
};
F.quantile = x => {
  const beyond = 1 / x;
  const digits = Math.max(0, Math.ceil(-Math.log10(beyond) - 1e-9) - 2);
  return (100 * (1 - beyond)).toFixed(Math.max(digits, beyond < 0.5 && beyond > 0.01 ? 1 : digits)).replace(/\.0$/, '') + ' %';
};
