extension HTMLPage {
  /// Reads the data into arrays.
  static let data: StaticString = #"""
    const $ = id => document.getElementById(id);
    const sums = JSON.parse($("summary").textContent);
    const names = [], events = [], tracks = [];

    // Web Mercator, the world being 1 wide; y is cut shortly before the poles.
    const mercatorY = lat => {
      const s = Math.sin(Math.max(-89.99, Math.min(89.99, lat)) * Math.PI / 180);
      return 0.5 - Math.log((1 + s) / (1 - s)) / (4 * Math.PI);
    };
    const latitudeOf = y => Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) * 180 / Math.PI;

    const D = (() => {
      const text = $("data").textContent;
      let rows = 0;
      for (let i = text.indexOf("\n"); i >= 0; i = text.indexOf("\n", i + 1)) rows++;
      const wide = () => new Float64Array(rows);
      const slim = () => new Float32Array(rows).fill(NaN);
      const d = {n: 0, t: wide(), lat: wide(), lon: wide(), x: wide(), y: wide(),
        alt: slim(), spd: slim(), eph: slim(), sat: slim(), start: new Uint8Array(rows)};
      const scale = [["alt", 10], ["spd", 100], ["eph", 100], ["sat", 1]];
      let t = 0, lat = 0, lon = 0, start = 1, at = 0;
      for (;;) {
        const end = text.indexOf("\n", at);
        if (end < 0) break;
        const first = text[at];
        if (first === "r") {
          names.push(JSON.parse(text.slice(at + 1, end)));
          tracks.push({from: d.n, to: d.n});
          t = lat = lon = 0;
          start = 1;
        } else if (first === "e") {
          events.push(JSON.parse(text.slice(at + 1, end)));
        } else if (first === "s") {
          start = 1;
        } else if (end > at) {
          const v = text.slice(at, end).split(","), i = d.n++;
          t += +v[0]; lat += +v[1]; lon += +v[2];
          d.t[i] = t; d.lat[i] = lat / 1e7; d.lon[i] = lon / 1e7;
          d.x[i] = lon / 3.6e9 + 0.5;
          if (i) d.x[i] += Math.round(d.x[i - 1] - d.x[i]);
          d.y[i] = mercatorY(lat / 1e7);
          scale.forEach(([key, unit], k) => { if (v[k + 3]) d[key][i] = v[k + 3] / unit; });
          d.start[i] = start;
          start = 0;
          tracks[tracks.length - 1].to = d.n;
        }
        at = end + 1;
      }
      return d;
    })();
    $("data").textContent = "";

    events.forEach(e => {
      if (e.lat === undefined) return;
      e.x = e.lon / 360 + 0.5;
      if (D.n) e.x += Math.round(D.x[0] - e.x);
      e.y = mercatorY(e.lat);
    });

    const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const pad = (n, w = 2) => String(n).padStart(w, "0");
    const clock = t => new Date(t).toISOString().slice(11, 19);
    const stamp = t => new Date(t).toISOString().slice(0, 19).replace("T", " ");
    const span = s => {
      s = Math.round(s);
      const d = Math.floor(s / 86400);
      return (d ? d + " d " : "") + pad(Math.floor(s / 3600) % 24) + ":" +
        pad(Math.floor(s / 60) % 60) + ":" + pad(s % 60);
    };
    const kilometres = m => m < 1000 ? m.toFixed(0) + " m" : m < 1e5 ? (m / 1000).toFixed(2) +
      " km" : (m / 1000).toFixed(0) + " km";
    const number = (v, digits) => v.toLocaleString("en", {maximumFractionDigits: digits});

    // Even fractions of the values, so that an odd one does not take the colours for itself.
    const range = key => {
      const step = Math.max(1, Math.floor(D.n / 20000)), found = [];
      for (let i = 0; i < D.n; i += step) if (!isNaN(D[key][i])) found.push(D[key][i]);
      if (!found.length) return null;
      found.sort((a, b) => a - b);
      const low = found[Math.floor(found.length * 0.02)];
      const high = found[Math.floor((found.length - 1) * 0.98)];
      return {low, high, middle: found[found.length >> 1]};
    };
    // The fix nearest to an instant.
    const at = time => {
      let best = -1;
      for (const {from, to} of tracks) {
        let low = from, high = to - 1;
        while (low < high) {
          const middle = (low + high) >> 1;
          if (D.t[middle] < time) low = middle + 1; else high = middle;
        }
        for (const i of [low - 1, low]) {
          if (i >= from && i < to &&
            (best < 0 || Math.abs(D.t[i] - time) < Math.abs(D.t[best] - time))) best = i;
        }
      }
      return best;
    };

    """#
}
