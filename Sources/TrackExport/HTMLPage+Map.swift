extension HTMLPage {
  /// Draws the map.
  static let map: StaticString = #"""
    const canvas = $("canvas"), view = {x: 0.5, y: 0.5, scale: 256};
    const scaleMax = 256 * 2 ** 26;
    const ramp = [[48,18,59],[65,105,225],[30,180,200],[70,220,100],[220,220,40],[250,140,30],
      [200,30,20]];
    const colours = Array.from({length: 64}, (_, i) => {
      const p = i / 63 * (ramp.length - 1), k = Math.min(Math.floor(p), ramp.length - 2);
      return "rgb(" + ramp[k].map((c, j) => Math.round(c + (ramp[k + 1][j] - c) * (p - k))) + ")";
    });
    let shown = {key: "spd", range: null};

    // A canvas in device pixels, drawn on in CSS pixels.
    const prepared = c => {
      const w = c.clientWidth, h = c.clientHeight, r = devicePixelRatio || 1;
      if (c.width !== Math.round(w * r) || c.height !== Math.round(h * r)) {
        c.width = Math.round(w * r);
        c.height = Math.round(h * r);
      }
      const g = c.getContext("2d");
      g.setTransform(r, 0, 0, r, 0, 0);
      g.clearRect(0, 0, w, h);
      return {g, w, h};
    };
    const toX = (x, w) => (x - view.x) * view.scale + w / 2;
    const toY = (y, h) => (y - view.y) * view.scale + h / 2;

    function fit() {
      let x0 = Infinity, x1 = -Infinity, y0 = Infinity, y1 = -Infinity;
      const grow = (x, y) => {
        x0 = Math.min(x0, x); x1 = Math.max(x1, x); y0 = Math.min(y0, y); y1 = Math.max(y1, y);
      };
      for (let i = 0; i < D.n; i++) grow(D.x[i], D.y[i]);
      if (x0 > x1) events.forEach(e => { if (e.x !== undefined) grow(e.x, e.y); });
      if (x0 > x1) { x0 = y0 = 0; x1 = y1 = 1; }
      view.x = (x0 + x1) / 2;
      view.y = (y0 + y1) / 2;
      const w = canvas.clientWidth - 60, h = canvas.clientHeight - 60;
      view.scale = Math.min(scaleMax / 256, w / (x1 - x0 || 1e-9), h / (y1 - y0 || 1e-9));
    }

    const steps = [30, 20, 10, 5, 2, 1, 30 / 60, 20 / 60, 10 / 60, 5 / 60, 2 / 60, 1 / 60,
      30 / 3600, 20 / 3600, 10 / 3600, 5 / 3600, 2 / 3600, 1 / 3600, 0.5 / 3600, 0.2 / 3600,
      0.1 / 3600, 0.05 / 3600, 0.02 / 3600, 0.01 / 3600];
    const degrees = (value, step, signs) => {
      const sign = signs[value < -1e-9 ? 1 : 0], digits = step < 1 / 3600 ? 2 : 0;
      let rest = Math.round(Math.abs(value) * 3600 * 100) / 100;
      const d = Math.floor(rest / 3600 + 1e-9);
      rest -= d * 3600;
      const m = Math.floor(rest / 60 + 1e-9), s = Math.max(0, rest - m * 60);
      return d + "°" + (step < 1 ? pad(m) + "′" : "") +
        (step < 1 / 60 ? s.toFixed(digits).padStart(digits ? 5 : 2, "0") + "″" : "") + sign;
    };

    function drawGraticule(g, w, h) {
      const perDegree = view.scale / 360;
      const stretch = Math.max(Math.cos(latitudeOf(view.y) * Math.PI / 180), 1e-4);
      const choose = pixels => steps.findLast(step => step * pixels >= 90) || steps[0];
      g.strokeStyle = css("--grid");
      g.fillStyle = css("--dim");
      g.lineWidth = 1;
      g.font = "11px system-ui,sans-serif";
      g.beginPath();
      const west = (view.x - w / 2 / view.scale - 0.5) * 360, across = choose(perDegree);
      for (let k = Math.ceil(west / across); ; k++) {
        const x = Math.round(toX(k * across / 360 + 0.5, w)) + 0.5;
        if (x > w) break;
        g.moveTo(x, 0);
        g.lineTo(x, h);
        const lon = k * across - 360 * Math.round(k * across / 360);
        g.fillText(degrees(lon, across, "EW"), x + 3, 12);
      }
      const up = choose(perDegree / stretch);
      const south = latitudeOf(Math.min(view.y + h / 2 / view.scale, mercatorY(-89)));
      for (let k = Math.ceil(south / up); k * up < 89.5; k++) {
        const y = Math.round(toY(mercatorY(k * up), h)) + 0.5;
        if (y < 0) break;
        g.moveTo(0, y);
        g.lineTo(w, y);
        if (y < h - 36) g.fillText(degrees(k * up, up, "NS"), 4, y - 3);
      }
      g.stroke();
      drawScale(g, h, stretch);
    }

    function drawScale(g, h, stretch) {
      const metre = view.scale / (40075016.7 * stretch);
      const size = 10 ** Math.floor(Math.log10(140 / metre));
      const length = [5, 2, 1].map(k => k * size).find(m => m * metre <= 140) || size;
      const x = 12, y = h - 14, width = length * metre;
      const name = length >= 1000 ? length / 1000 + " km" : length >= 1 ? length + " m"
        : +(length * 100).toPrecision(1) + " cm";
      for (const [colour, line] of [[css("--card"), 5], [css("--ink"), 2]]) {
        g.strokeStyle = colour;
        g.lineWidth = line;
        g.beginPath();
        g.moveTo(x, y - 5); g.lineTo(x, y); g.lineTo(x + width, y); g.lineTo(x + width, y - 5);
        g.stroke();
      }
      g.fillStyle = css("--ink");
      g.fillText(name, x + 6, y - 4);
    }

    const images = new Map();
    function drawTiles(g, w, h) {
      const zoom = Math.max(0, Math.min(19, Math.round(Math.log2(view.scale / 256))));
      const count = 2 ** zoom, size = view.scale / count;
      const left = Math.floor((view.x - w / 2 / view.scale) * count);
      const top = Math.max(0, Math.floor((view.y - h / 2 / view.scale) * count));
      for (let x = left; toX(x / count, w) < w; x++) {
        for (let y = top; y < count && toY(y / count, h) < h; y++) {
          const column = ((x % count) + count) % count, key = zoom + "/" + column + "/" + y;
          let image = images.get(key);
          if (!image) {
            if (images.size > 400) images.clear();
            image = new Image();
            image.onload = redraw;
            image.src = sums.tiles.replace("{z}", zoom).replace("{x}", column)
              .replace("{y}", y);
            images.set(key, image);
          }
          if (image.complete && image.naturalWidth) {
            g.drawImage(image, toX(x / count, w), toY(y / count, h), size + 0.5, size + 0.5);
          }
        }
      }
    }

    function drawTrack(g, w, h) {
      const {key, range} = shown, values = D[key];
      const factor = range && range.high > range.low ? 63 / (range.high - range.low) : 0;
      const plain = css("--accent");
      g.lineJoin = g.lineCap = "round";
      let px = 0, py = 0, colour = null, open = false;
      const close = () => { if (open) g.stroke(); open = false; };
      g.lineWidth = 1;
      g.setLineDash([3, 5]);
      g.strokeStyle = css("--dim");
      g.beginPath();
      const isFirst = new Set(tracks.map(track => track.from));
      for (let i = 1; i < D.n; i++) {
        if (!D.start[i] || isFirst.has(i)) continue;
        g.moveTo(toX(D.x[i - 1], w), toY(D.y[i - 1], h));
        g.lineTo(toX(D.x[i], w), toY(D.y[i], h));
      }
      g.stroke();
      g.setLineDash([]);
      g.lineWidth = 3;
      for (let i = 0; i < D.n; i++) {
        const x = toX(D.x[i], w), y = toY(D.y[i], h);
        if (D.start[i]) {
          close();
          [px, py, colour] = [x, y, null];
          dot(g, x, y, 1.5, plain);
          continue;
        }
        const ends = i + 1 === D.n || D.start[i + 1];
        if (!ends && (x - px) ** 2 + (y - py) ** 2 < 2.5) continue;
        const out = (x < 0 && px < 0) || (y < 0 && py < 0) || (x > w && px > w) ||
          (y > h && py > h);
        if (out) { close(); colour = null; } else {
          const value = values[i];
          const next = range && !isNaN(value)
            ? colours[Math.max(0, Math.min(63, Math.round((value - range.low) * factor)))] : plain;
          if (next !== colour || !open) {
            close();
            g.strokeStyle = colour = next;
            g.beginPath();
            g.moveTo(px, py);
            open = true;
          }
          g.lineTo(x, y);
        }
        px = x; py = y;
      }
      close();
    }

    function dot(g, x, y, size, colour, edge) {
      g.beginPath();
      g.arc(x, y, size, 0, 7);
      g.fillStyle = colour;
      g.fill();
      if (!edge) return;
      g.lineWidth = 2;
      g.strokeStyle = edge;
      g.stroke();
    }

    function drawMarks(g, w, h) {
      for (let i = 1; i < D.n; i++) {
        if (!D.start[i]) continue;
        dot(g, toX(D.x[i - 1], w), toY(D.y[i - 1], h), 3, css("--card"), css("--dim"));
        dot(g, toX(D.x[i], w), toY(D.y[i], h), 3, css("--card"), css("--dim"));
      }
      events.forEach(e => {
        if (e.x === undefined) return;
        const x = toX(e.x, w), y = toY(e.y, h);
        g.beginPath();
        g.moveTo(x, y - 6); g.lineTo(x + 6, y); g.lineTo(x, y + 6); g.lineTo(x - 6, y);
        g.closePath();
        g.fillStyle = "#f0a000";
        g.fill();
        g.lineWidth = 1.5;
        g.strokeStyle = "#fff";
        g.stroke();
      });
      tracks.forEach(({from, to}) => {
        dot(g, toX(D.x[from], w), toY(D.y[from], h), 7, "#1a9c46", "#fff");
        const x = toX(D.x[to - 1], w), y = toY(D.y[to - 1], h);
        g.fillStyle = "#d0312d";
        g.fillRect(x - 6, y - 6, 12, 12);
        g.lineWidth = 2;
        g.strokeStyle = "#fff";
        g.strokeRect(x - 6, y - 6, 12, 12);
      });
    }

    function drawMap() {
      const {g, w, h} = prepared(canvas);
      if (sums.tiles) drawTiles(g, w, h);
      drawGraticule(g, w, h);
      drawTrack(g, w, h);
      drawMarks(g, w, h);
      placeHere();
    }

    """#
}
