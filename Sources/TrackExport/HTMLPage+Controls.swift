extension HTMLPage {
  /// Fills the page in and lets the user move and choose.
  static let controls: StaticString = #"""
    let isDue = false;
    function redraw() {
      if (isDue) return;
      isDue = true;
      requestAnimationFrame(() => { isDue = false; drawMap(); drawPlots(); });
    }

    function zoom(factor, x, y) {
      const w = canvas.clientWidth, h = canvas.clientHeight;
      x = x ?? w / 2;
      y = y ?? h / 2;
      const next = Math.max(64, Math.min(scaleMax, view.scale * factor));
      view.x += (x - w / 2) * (1 / view.scale - 1 / next);
      view.y += (y - h / 2) * (1 / view.scale - 1 / next);
      view.scale = next;
      redraw();
    }
    function move(dx, dy) {
      view.x -= dx / view.scale;
      view.y -= dy / view.scale;
      redraw();
    }

    // The fix that is drawn nearest to a point, within a finger's width.
    function near(x, y) {
      const w = canvas.clientWidth, h = canvas.clientHeight;
      let best = -1, least = 24 ** 2;
      for (let i = 0; i < D.n; i++) {
        const d = (toX(D.x[i], w) - x) ** 2 + (toY(D.y[i], h) - y) ** 2;
        if (d < least) { least = d; best = i; }
      }
      return best;
    }

    const fingers = new Map();
    canvas.addEventListener("pointerdown", e => {
      canvas.setPointerCapture(e.pointerId);
      fingers.set(e.pointerId, {x: e.offsetX, y: e.offsetY});
    });
    canvas.addEventListener("pointermove", e => {
      const was = fingers.get(e.pointerId), now = {x: e.offsetX, y: e.offsetY};
      if (!was) { const i = near(now.x, now.y); if (i >= 0) select(i); return; }
      if (fingers.size === 1) {
        move(now.x - was.x, now.y - was.y);
      } else {
        const other = [...fingers].find(([id]) => id !== e.pointerId)[1];
        const length = p => Math.hypot(p.x - other.x, p.y - other.y) || 1;
        zoom(length(now) / length(was), (now.x + other.x) / 2, (now.y + other.y) / 2);
        move((now.x - was.x) / 2, (now.y - was.y) / 2);
      }
      fingers.set(e.pointerId, now);
    });
    for (const kind of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(kind, e => fingers.delete(e.pointerId));
    }
    canvas.addEventListener("click", e => {
      const i = near(e.offsetX, e.offsetY);
      if (i >= 0) select(i);
    });
    canvas.addEventListener("wheel", e => {
      e.preventDefault();
      zoom(Math.exp(-e.deltaY * (e.deltaMode ? 0.05 : 0.0015)), e.offsetX, e.offsetY);
    }, {passive: false});
    canvas.addEventListener("dblclick", e => zoom(2, e.offsetX, e.offsetY));
    canvas.addEventListener("keydown", e => {
      const act = {ArrowLeft: () => move(60, 0), ArrowRight: () => move(-60, 0),
        ArrowUp: () => move(0, 60), ArrowDown: () => move(0, -60), "+": () => zoom(1.5),
        "-": () => zoom(1 / 1.5), 0: () => { fit(); redraw(); }}[e.key];
      if (act) { e.preventDefault(); act(); }
    });
    $("in").onclick = () => zoom(2);
    $("out").onclick = () => zoom(0.5);
    $("fit").onclick = () => {
      fit();
      Object.assign(period, whole);
      redraw();
    };

    const plots = $("plots");
    plots.addEventListener("pointermove", e => {
      const box = plots.getBoundingClientRect();
      select(at(xToTime(e.clientX - box.left, plots.clientWidth)));
    });
    plots.addEventListener("wheel", e => {
      if (e.deltaY === 0) return;
      e.preventDefault();
      const box = plots.getBoundingClientRect();
      const t = xToTime(e.clientX - box.left, plots.clientWidth), f = Math.exp(e.deltaY * 0.0015);
      period.from = Math.max(whole.from, t - (t - period.from) * f);
      period.to = Math.min(whole.to, t + (period.to - t) * f);
      if (period.to - period.from < 1000) period.to = period.from + 1000;
      redraw();
    }, {passive: false});
    plots.addEventListener("dblclick", () => { Object.assign(period, whole); redraw(); });

    function showLegend() {
      const key = $("by").value, isSpeed = key === "spd", r = range(key);
      const factor = isSpeed ? +$("unit").value : 1;
      const unit = isSpeed ? $("unit").selectedOptions[0].text : "m";
      shown = {key, range: r};
      $("legend").style.visibility = r ? "visible" : "hidden";
      if (!r) return;
      const digits = (r.high - r.low) * factor < 10 ? 1 : 0;
      $("low").textContent = (r.low * factor).toFixed(digits);
      $("high").textContent = (r.high * factor).toFixed(digits) + " " + unit;
    }
    $("by").onchange = $("unit").onchange = () => {
      showLegend();
      showSums();
      select(cursor);
      redraw();
    };

    function showSums() {
      const unit = +$("unit").value, name = " " + $("unit").selectedOptions[0].text;
      const accuracy = range("eph"), list = [["Distance", kilometres(sums.distance)],
        ["Recorded", span(sums.recorded)], ["Moving", span(sums.moving)]];
      if (sums.moving > 0) {
        list.push(["Mean while moving", (sums.distance / sums.moving * unit).toFixed(1) + name]);
      }
      if (sums.speedMax !== undefined) {
        list.push(["Fastest", (sums.speedMax * unit).toFixed(1) + name]);
      }
      if (sums.low !== undefined) {
        list.push(["Altitude", sums.low.toFixed(0) + " to " + sums.high.toFixed(0) + " m"]);
      }
      if (accuracy) list.push(["Median accuracy", "±" + accuracy.middle.toFixed(1) + " m"]);
      if (sums.joules !== undefined) {
        list.push(["Receiver's energy", number(sums.joules, 0) + " J"]);
      }
      list.push(["Fixes", number(sums.fixes, 0)], ["Segments", number(sums.segments, 0)],
        ["Receiver" + (names.length > 1 ? "s" : ""), names.join(", ") || "none"]);
      $("sums").replaceChildren(...list.flatMap(([title, value]) => {
        const box = document.createElement("div"), dt = document.createElement("dt");
        const dd = document.createElement("dd");
        dt.textContent = title;
        dd.textContent = value;
        if (title === "Receivers") dd.replaceChildren(...names.flatMap(colouredName));
        box.append(dt, dd);
        return [box];
      }));
    }

    // A receiver's name behind a dot in the colour of its curves.
    function colouredName(name, i) {
      const dot = document.createElement("span");
      dot.textContent = "●\u00a0";
      dot.style.color = hue(i);
      return [dot, name + " "];
    }

    function showEvents() {
      if (!events.length) $("eventcard").remove(); else events.slice(0, 2000).forEach(e => {
        const row = $("events").insertRow();
        row.insertCell().textContent = e.t === undefined ? "-" : stamp(e.t);
        row.insertCell().textContent = e.kind.replace(/_/g, " ");
        row.insertCell().textContent = e.text;
        if (e.x === undefined) return;
        row.tabIndex = 0;
        row.onclick = () => {
          view.x = e.x;
          view.y = e.y;
          if (e.t !== undefined) select(at(e.t));
          redraw();
        };
        row.onkeydown = k => { if (k.key === "Enter") row.onclick(); };
      });
    }

    (() => {
      let from = Infinity, to = -Infinity;
      for (let i = 0; i < D.n; i++) { from = Math.min(from, D.t[i]); to = Math.max(to, D.t[i]); }
      if (from > to) { $("info").textContent = "No fix has a position."; from = to = 0; }
      $("span").textContent = D.n ? stamp(from) + " to " + stamp(to) + " UTC" : "";
      if (to - from < 1000) to = from + 1000;
      whole.from = from;
      whole.to = to;
      Object.assign(period, whole);
      const g = $("ramp").getContext("2d");
      colours.forEach((colour, i) => { g.fillStyle = colour; g.fillRect(i, 0, 1, 1); });
      const has = key => range(key) !== null;
      if (has("alt")) addPanel("", "Altitude", "alt", "m");
      if (has("spd")) addPanel("", "Speed", "spd", "");
      if (has("eph")) addPanel("", "Accuracy", "eph", "m, 68 %");
      if (has("sat")) addPanel("", "Satellites used", "sat", "");
      states.forEach(({name, found}) => {
        addPanel("thin", states.length > 1 ? "Receiver " + name : "Receiver", "", "", found);
      });
      addPanel("axis");
      if (!has("spd")) $("by").value = has("alt") ? "alt" : "eph";
      showLegend();
      showSums();
      showEvents();
      fit();
      new ResizeObserver(redraw).observe(document.querySelector("main"));
      matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
      drawMap();
      drawPlots();
    })();

    """#
}
