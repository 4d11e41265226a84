/// The parts of the page that `HTMLWriter` writes that are the same in every page.
enum HTMLPage {
  static let style: StaticString = #"""
    :root{color-scheme:light dark;--bg:#f6f7f9;--card:#fff;--ink:#1c2430;--dim:#66707f;
     --line:#d9dee5;--map:#e9eef2;--grid:#c3ccd6;--accent:#0b6bcb}
    @media(prefers-color-scheme:dark){:root{--bg:#12161c;--card:#1b212a;--ink:#e6ebf2;
     --dim:#93a0b0;--line:#313a46;--map:#161c24;--grid:#34404d;--accent:#58a6ff}}
    *{box-sizing:border-box}
    body{margin:0;background:var(--bg);color:var(--ink);
     font:15px/1.4 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
    main{max-width:1280px;margin:0 auto;padding:12px;display:grid;gap:12px}
    header{display:flex;flex-wrap:wrap;align-items:baseline;gap:4px 14px}
    h1{font-size:19px;margin:0}h2{font-size:15px;margin:0 0 6px}
    header span,.dim{color:var(--dim)}
    .card{background:var(--card);border:1px solid var(--line);border-radius:10px;
     overflow:hidden;position:relative}
    .pad{padding:10px 14px}
    #map{height:min(58vh,620px);min-height:260px;background:var(--map)}
    canvas{display:block;width:100%;height:100%}
    #map canvas{touch-action:none;cursor:grab}
    #map canvas:active{cursor:grabbing}
    .tools{position:absolute;top:10px;right:10px;display:grid;gap:6px}
    button,select{font:inherit;color:var(--ink);background:var(--card);
     border:1px solid var(--line);border-radius:8px;min-height:36px;padding:0 10px}
    .tools button{width:40px;height:40px;padding:0;font-size:19px}
    button:focus-visible,select:focus-visible,canvas:focus-visible{
     outline:2px solid var(--accent);outline-offset:-2px}
    #here{position:absolute;width:14px;height:14px;margin:-7px;border-radius:50%;
     background:var(--accent);border:2px solid #fff;box-shadow:0 0 3px #000a;
     pointer-events:none;display:none}
    .bar{display:flex;flex-wrap:wrap;gap:8px 12px;align-items:center;padding:8px 12px;
     border-top:1px solid var(--line)}
    .bar label{display:flex;gap:6px;align-items:center}
    #ramp{width:110px;height:10px;border-radius:5px}
    #legend{display:flex;align-items:center;gap:6px;font-variant-numeric:tabular-nums}
    #info{padding:8px 12px;border-top:1px solid var(--line);min-height:37px;
     font-variant-numeric:tabular-nums}
    #plots{touch-action:pan-y;cursor:crosshair}
    .plot{height:96px;border-top:1px solid var(--line);position:relative}
    .plot:first-child{border-top:0}
    .plot.thin{height:44px}.plot.axis{height:26px}
    #line{position:absolute;top:0;bottom:0;width:1px;background:var(--accent);
     pointer-events:none;display:none}
    dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:10px;margin:0}
    dt{color:var(--dim);font-size:13px}dd{margin:0;font-size:17px;
     font-variant-numeric:tabular-nums}
    .scroll{overflow:auto;max-height:300px}
    table{border-collapse:collapse;width:100%}
    td{padding:4px 10px 4px 0;border-top:1px solid var(--line);vertical-align:top}
    td:first-child{white-space:nowrap;font-variant-numeric:tabular-nums}
    tr[tabindex]{cursor:pointer}
    @media(max-width:600px){main{padding:8px;gap:8px}#map{height:52vh}.plot{height:78px}
     dl{grid-template-columns:1fr 1fr}}

    """#

  static let body: StaticString = #"""
    <body><main>
    <header><h1>Track</h1><span id="span"></span></header>
    <section class="card">
    <div id="map" style="position:relative"><canvas id="canvas" tabindex="0"
     aria-label="Map of the track; arrow keys move it, plus and minus magnify"></canvas>
    <div id="here"></div>
    <div class="tools"><button id="in" aria-label="Magnify">+</button>
    <button id="out" aria-label="Show more">&minus;</button>
    <button id="fit" aria-label="Show all"><svg width="18" height="18" fill="none"
     stroke="currentColor" stroke-width="2" style="vertical-align:-3px">
    <path d="M2 7V2h5M11 2h5v5M16 11v5h-5M7 16H2v-5"/></svg></button></div></div>
    <div class="bar"><label>Colour <select id="by"><option value="spd">speed</option>
    <option value="alt">altitude</option><option value="eph">accuracy</option></select></label>
    <div id="legend"><span id="low"></span><canvas id="ramp" width="64" height="1"></canvas>
    <span id="high"></span></div>
    <label>Speed in <select id="unit"><option value="3.6">km/h</option>
    <option value="1">m/s</option><option value="1.943844">kn</option></select></label></div>
    <div id="info" class="dim">Point at the track or at the plots to read values.</div></section>
    <section class="card" id="plots"><div id="line"></div></section>
    <section class="card pad"><h2>Summary</h2><dl id="sums"></dl></section>
    <section class="card pad" id="eventcard"><h2>Events</h2><div class="scroll">
    <table id="events"></table></div></section>
    <noscript>This page draws its track with JavaScript.</noscript>
    </main>

    """#
}
