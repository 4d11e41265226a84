extension HTMLPage {
  /// Draws the values over time, with one cursor for all of them and the map.
  static let plots: StaticString = #"""
    const panels = [], left = 52, right = 10;
    const period = {from: 0, to: 1}, whole = {from: 0, to: 1};
    let cursor = -1;

    // What each receiver was said to be doing, from the events; those that name none are of all.
    const states = (() => {
      const rows = new Map();
      const word = {attach: "attached", detach: "detached", session_start: "started",
        session_stop: "stopped"};
      events.forEach(e => {
        if (e.t === undefined) return;
        const state = e.kind === "power" ? e.reason || e.text || "power" : word[e.kind];
        const name = e.receiver ?? "";
        if (!rows.has(name)) rows.set(name, []);
        if (state) rows.get(name).push({t: e.t, state});
      });
      const common = rows.get("") ?? [];
      if (rows.size > 1) rows.delete("");
      return [...rows].map(([name, own]) => ({name, found: (name ? own.concat(common) : own)
        .sort((a, b) => a.t - b.t)})).filter(row => row.found.length);
    })();
    const hues = ["--accent", "#d9730d", "#8a4fd0", "#1a9c46"];
    const hue = k => k % 4 ? hues[k % 4] : css(hues[0]);
    const stateColour = state => /sleep|off|detach|stop|idle/i.test(state) ? "#7a8798"
      : /acqui|search/i.test(state) ? "#f0a000" : "#1a9c46";

    function addPanel(kind, title, key, unit, found) {
      const box = document.createElement("div"), c = document.createElement("canvas");
      box.className = "plot " + kind;
      box.append(c);
      $("plots").append(box);
      panels.push({canvas: c, kind, title, key, unit, found});
    }

    const timeToX = (t, w) => left + (t - period.from) / (period.to - period.from) *
      (w - left - right);
    const xToTime = (x, w) => period.from + (x - left) / (w - left - right) *
      (period.to - period.from);

    // A receiver's lowest and highest value in each column of pixels.
    function columns(key, factor, w, {from, to}) {
      const count = Math.max(1, Math.ceil(w)), low = new Float32Array(count).fill(NaN);
      const high = new Float32Array(count).fill(NaN), values = D[key];
      for (let i = from; i < to; i++) {
        const k = Math.floor(timeToX(D.t[i], w)), v = values[i] * factor;
        if (k < left || k >= count || isNaN(v)) continue;
        if (!(low[k] <= v)) low[k] = v;
        if (!(high[k] >= v)) high[k] = v;
      }
      return {low, high};
    }

    function drawValues({canvas, title, key, unit}) {
      const {g, w, h} = prepared(canvas), isSpeed = key === "spd";
      const factor = isSpeed ? +$("unit").value : 1;
      const curves = tracks.map(track => columns(key, factor, w, track));
      let min = Infinity, max = -Infinity;
      for (const {low, high} of curves) {
        low.forEach(v => { if (v < min) min = v; });
        high.forEach(v => { if (v > max) max = v; });
      }
      g.font = "11px system-ui,sans-serif";
      g.fillStyle = css("--dim");
      const name = isSpeed ? $("unit").selectedOptions[0].text : unit;
      g.textAlign = "left";
      g.fillText(title + (name ? " (" + name + ")" : ""), left + 4, 13);
      if (min > max) return;
      if (key !== "alt") min = 0;
      if (max - min < 1e-6) { max += 1; if (key === "alt") min -= 1; }
      const top = 20, bottom = h - 8;
      const toPixel = v => bottom - (v - min) / (max - min) * (bottom - top);
      g.textAlign = "right";
      const digits = max - min < 5 ? 1 : 0;
      g.fillText(max.toFixed(digits), left - 6, top + 4);
      g.fillText(min.toFixed(digits), left - 6, bottom + 3);
      g.strokeStyle = css("--line");
      g.beginPath();
      for (const y of [top, bottom]) { g.moveTo(left, y + 0.5); g.lineTo(w - right, y + 0.5); }
      g.stroke();
      g.lineWidth = 1.5;
      g.lineJoin = "round";
      // A line joins columns whose fixes are no hole apart.
      const reach = Math.max(2, 15000 / (period.to - period.from) * w);
      curves.forEach(({low, high}, i) => {
        g.strokeStyle = hue(i);
        g.beginPath();
        let previous = -Infinity;
        for (let k = left; k < low.length; k++) {
          if (isNaN(low[k])) continue;
          const a = toPixel(high[k]), b = toPixel(low[k]);
          if (k - previous > reach) { g.moveTo(k - 0.5, b); }
          g.lineTo(k, b);
          g.lineTo(k + 0.5, a);
          previous = k;
        }
        g.stroke();
      });
    }

    function drawStates({canvas, title, found}) {
      const {g, w, h} = prepared(canvas);
      g.font = "11px system-ui,sans-serif";
      g.fillStyle = css("--dim");
      g.fillText(title, left + 4, 13);
      g.save();
      g.beginPath();
      g.rect(left, 0, w - left - right, h);
      g.clip();
      found.forEach(({t, state}, i) => {
        const x = timeToX(t, w), end = timeToX(found[i + 1] ? found[i + 1].t : whole.to, w);
        g.fillStyle = stateColour(state);
        g.fillRect(x, 20, Math.max(end - x, 2), h - 26);
        g.fillStyle = "#fff";
        if (end - x > g.measureText(state).width + 8) {
          g.fillText(state, Math.max(x, left) + 4, h - 11);
        }
      });
      g.restore();
    }

    function drawAxis({canvas}) {
      const {g, w} = prepared(canvas), length = period.to - period.from;
      const choices = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 10800, 21600, 43200,
        86400, 172800, 604800, 2592000, 7776000, 31536000].map(s => s * 1000);
      const step = choices.find(s => s / length * (w - left) >= 76) || choices[choices.length - 1];
      g.font = "11px system-ui,sans-serif";
      g.fillStyle = css("--dim");
      g.textAlign = "center";
      for (let t = Math.ceil(period.from / step) * step; t <= period.to; t += step) {
        const iso = new Date(t).toISOString();
        const x = timeToX(t, w);
        if (x < left + 12 || x > w - 22) continue;
        g.fillText(step >= 86400000 ? iso.slice(0, 10)
          : t % 86400000 === 0 ? iso.slice(5, 10) : iso.slice(11, step < 60000 ? 19 : 16), x, 16);
      }
      g.textAlign = "left";
      g.fillText("UTC", 8, 16);
    }

    function drawPlots() {
      for (const panel of panels) {
        (panel.kind === "axis" ? drawAxis : panel.kind === "thin" ? drawStates : drawValues)(panel);
      }
      placeHere();
    }

    // The cursor on the map and in the plots.
    function placeHere() {
      const here = $("here"), line = $("line"), isOn = cursor >= 0;
      here.style.display = line.style.display = isOn ? "block" : "none";
      if (!isOn) return;
      here.style.left = toX(D.x[cursor], canvas.clientWidth) + "px";
      here.style.top = toY(D.y[cursor], canvas.clientHeight) + "px";
      const x = timeToX(D.t[cursor], $("plots").clientWidth);
      line.style.left = x + "px";
      if (x < left || x > $("plots").clientWidth - right) line.style.display = "none";
    }

    function select(i) {
      cursor = i;
      placeHere();
      if (i < 0) return;
      $("info").className = "";
      const unit = +$("unit").value, parts = [stamp(D.t[i]) + " UTC",
        D.lat[i].toFixed(6) + ", " + D.lon[i].toFixed(6)];
      if (!isNaN(D.spd[i])) {
        parts.push((D.spd[i] * unit).toFixed(1) + " " + $("unit").selectedOptions[0].text);
      }
      if (!isNaN(D.alt[i])) parts.push(D.alt[i].toFixed(1) + " m high");
      if (!isNaN(D.eph[i])) parts.push("±" + D.eph[i].toFixed(1) + " m");
      if (!isNaN(D.sat[i])) parts.push(D.sat[i] + " satellites");
      if (names.length > 1) parts.push(names[tracks.findIndex(t => i < t.to)]);
      $("info").textContent = parts.join("  ·  ");
    }

    """#
}
