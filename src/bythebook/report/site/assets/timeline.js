// The timeline of a run of conduct: who acted when, approvals, deadlines, what the rules watch.
"use strict";
(function (by) {
  const AXIS = 38;
  const CLOCK = 16;
  const FLAG = 31;
  const ROOM = 90;
  const LANE = 20;
  const BAR = 13;
  const HEAD = 17;
  const WHO = ["agent", "customer", "company"];
  const MOST_BARS = 8;

  /** data: the run's chunk, with its edition. go(i): show an event. */
  by.timeline = (data, go) => {
    const holder = by.h("div", { class: "timeline scroll", tabindex: "0", role: "group", "aria-label": "Timeline" });
    const frame = by.h("section", { class: "timeframe", "aria-label": "Timeline of the run" },
      by.h("h2", { class: "hidden" }, "Timeline"), holder, legend(data));
    let drawn = null;
    let current = data.moments[0].i;

    function build() {
      const least = Math.max(280, holder.clientWidth || 900);
      if (drawn && Math.abs(drawn.least - least) < 2) return;
      drawn = draw(data, least, go);
      by.replace(holder, drawn.labels, drawn.svg);
      drawn.show(current);
    }

    const watch = new ResizeObserver(build);
    watch.observe(holder);
    by.leaving(() => watch.disconnect());
    return {
      element: frame,
      show(i) {
        current = i;
        if (!drawn) build();
        else drawn.show(i);
        const x = drawn.scale.event(i);
        if (x < holder.scrollLeft + 40 || x > holder.scrollLeft + holder.clientWidth - 40)
          holder.scrollLeft = Math.max(0, x - holder.clientWidth / 3);
      },
    };
  };

  function legend(data) {
    const parts = [["read", "looks"], ["write", "changes something"], ["refused", "refused"], ["words", "words"], ["due", "falls due"]];
    if (data.broken.length) parts.push(["broken", "a rule broke"]);
    return by.h("ul", { class: "legend small", "aria-label": "What the signs mean" }, parts.map(([kind, text]) =>
      by.h("li", {}, by.s("svg", { viewBox: "0 0 14 16", class: "glyph", "aria-hidden": "true", focusable: "false" }, sign(kind, 7, 8)), text)));
  }

  /** What an event looks like. */
  function sign(kind, x, y) {
    switch (kind) {
      case "write": return by.s("rect", { class: "sign write", x: x - 3, y: y - 7, width: 6, height: 14, rx: 1 });
      case "refused": return by.s("path", { class: "sign refused", d: "M" + (x - 3) + " " + (y - 3) + "l6 6m0 -6l-6 6" });
      case "words": return by.s("circle", { class: "sign words", cx: x, cy: y, r: 4 });
      case "due": return by.s("path", { class: "sign due", d: "M" + x + " " + (y - 5) + "l5 5l-5 5l-5 -5z" });
      case "broken": return by.s("path", { class: "sign flag", d: "M" + x + " " + (y - 7) + "v14M" + x + " " + (y - 7) + "h6l-2 3l2 3h-6" });
      default: return by.s("line", { class: "sign read", x1: x, x2: x, y1: y - 4, y2: y + 4 });
    }
  }

  by.kindOf = (moment) => {
    if (!moment.ok) return "refused";
    if (moment.kind === "message" || moment.name === "message_customer") return "words";
    if (moment.kind === "event") return "due";
    if (moment.changes.length) return "write";
    return "read";
  };

  function draw(data, least, go) {
    const moments = data.moments.filter((one) => one.kind !== "note");
    const ends = data.deadlines.map((one) => one.t).concat(data.consents.filter((one) => one.expires && one.expires < 600).map((one) => one.expires));
    const last = moments[moments.length - 1].t;
    const after = Math.min(Math.max(last, ...ends), last + 90);
    const scale = by.scale(moments, least, after);
    const labels = by.h("div", { class: "lanes" });
    const layers = { back: by.s("g"), marks: by.s("g"), front: by.s("g") };
    let y = AXIS;
    const lane = (height, text, told) => {
      const label = by.h("div", { class: "lane" }, text);
      label.style.top = y + "px";
      labels.append(label);
      // On paper the drawing is made as small as the page, and brings its own labels along.
      layers.front.append(by.s("text", { class: "on-paper", x: 6, y: y + 12 }, told || text));
      const top = y;
      y += height;
      layers.back.append(by.s("line", { class: "rule", x1: 0, x2: scale.width, y1: y - 0.5, y2: y - 0.5 }));
      return { top, label };
    };

    const rows = Object.fromEntries(WHO.map((who) => [who, lane(LANE, who).top + LANE / 2]));
    for (const moment of moments) {
      const x = scale.event(moment.i);
      layers.marks.append(by.s("g", { class: "event " + moment.who, "data-i": moment.i }, sign(by.kindOf(moment), x, rows[moment.who])));
    }
    consents(data, scale, lane, layers);
    const goal = (line) => Number((data.rules.get(line.rule) || {}).kind === "goal");
    const watched = [...data.lines].sort((a, b) => goal(a) - goal(b)).map((line) => by.stateLine(line, data, scale, lane, layers, HEAD));
    axis(data, scale, layers, y);
    deadlines(data, scale, layers, y);
    breaks(data, scale, layers, y);

    const veil = by.s("rect", { class: "veil", y: AXIS, height: y - AXIS });
    const needle = by.s("line", { class: "needle", y1: 4, y2: y });
    const svg = by.s("svg", { class: "time", width: scale.width, height: y + 4, viewBox: "0 0 " + scale.width + " " + (y + 4), role: "img", "aria-label": spoken(data) },
      layers.back, layers.marks, veil, layers.front, needle);
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      go(scale.nearest(((event.clientX - box.left) * scale.width) / box.width));
    });
    return {
      svg, labels, scale, least,
      show(i) {
        const x = scale.event(i);
        if (x === undefined) return;
        needle.setAttribute("x1", x);
        needle.setAttribute("x2", x);
        veil.setAttribute("x", x + scale.step / 2);
        veil.setAttribute("width", Math.max(0, scale.width - x - scale.step / 2));
        watched.forEach((one) => one(i));
      },
    };
  }

  function spoken(data) {
    const from = by.clockAt(data.edition, data.moments[0].t);
    const to = by.clockAt(data.edition, data.moments[data.moments.length - 1].t);
    const broken = data.broken.length ? data.broken.length + " rules broke" : "no rule broke";
    return "From " + from.clock + " to " + to.clock + (to.day === from.day ? "" : " on " + to.day) + ", " + data.moments.length + " events; " + broken + ". The list below tells the same.";
  }

  function axis(data, scale, layers, bottom) {
    let free = 0;
    for (const minute of scale.minutes) {
      layers.back.append(by.s("line", { class: "tick", x1: minute.from, x2: minute.from, y1: AXIS - 2, y2: bottom }));
      if (minute.from < free) continue;
      const { clock } = by.clockAt(data.edition, minute.t);
      layers.back.append(by.s("text", { class: "clock", x: minute.from + 2, y: CLOCK }, clock));
      free = minute.from + 44;
    }
  }

  function consents(data, scale, lane, layers) {
    const found = data.consents.slice(0, MOST_BARS);
    if (!found.length) return;
    const { top } = lane(HEAD + found.length * BAR + 4, "approvals");
    found.forEach((one, n) => {
      const y = top + HEAD + n * BAR + BAR / 2 - 1;
      const from = scale.event(one.asked);
      const decided = one.decided === undefined ? null : scale.event(one.decided);
      layers.front.append(by.s("line", { class: "waiting", x1: from, x2: decided === null ? scale.width : decided, y1: y, y2: y }));
      if (one.approval) {
        const until = Math.max(decided + 4, Math.min(scale.width, scale.minute(Math.min(one.expires, one.revoked === undefined ? Infinity : one.revoked))));
        layers.front.append(by.s("rect", { class: "consent", x: decided, y: y - 4, width: until - decided, height: 8, rx: 2 }));
        for (const i of data.uses.get(one.approval) || [])
          layers.front.append(by.s("circle", { class: "use", cx: scale.event(i), cy: y, r: 3.5 }));
      } else if (decided !== null)
        layers.front.append(by.s("circle", { class: "decided " + one.status, cx: decided, cy: y, r: 3.5 }));
      const roomy = from > 110;
      layers.front.append(by.s("text", { class: "small", x: roomy ? from - 5 : from + 5, y: y + 3.5, "text-anchor": roomy ? "end" : "start" },
        one.subject + (one.what === "amendment" ? ", change" : "")));
    });
  }

  /** One line for each minute; where several stand close together the first one is named. */
  function deadlines(data, scale, layers, bottom) {
    const found = data.deadlines.map((one) => ({ ...one, x: scale.minute(one.t) })).filter((one) => one.x <= scale.width).sort((a, b) => a.x - b.x);
    const words = (one) => one.rule + " " + one.sign + " " + by.clockAt(data.edition, one.t).clock;
    const groups = [];
    for (const one of found) {
      const last = groups[groups.length - 1];
      if (last && one.x - last[0].x < ROOM) last.push(one);
      else groups.push([one]);
      layers.front.append(by.s("line", { class: "deadline", x1: one.x, x2: one.x, y1: CLOCK + 4, y2: bottom }, by.s("title", {}, words(one) + ", " + one.says)));
    }
    for (const [first, ...more] of groups) {
      const left = first.x > scale.width - ROOM;
      layers.front.append(by.s("text", { class: "small deadline-label", x: first.x + (left ? -4 : 4), y: FLAG, "text-anchor": left ? "end" : "start" },
        words(first) + (more.length ? " +" + more.length : "")));
    }
  }

  /** Where rules broke: one line for each event, its flag above, as far as flags have room. */
  function breaks(data, scale, layers, bottom) {
    const places = new Map();
    for (const { rule, at } of data.broken)
      if (at !== null && scale.event(at) !== undefined) places.set(at, [...(places.get(at) || []), rule]);
    let free = 0;
    for (const [at, rules] of [...places].sort((a, b) => a[0] - b[0])) {
      const x = scale.event(at);
      layers.front.append(by.s("line", { class: "break", x1: x, x2: x, y1: CLOCK + 4, y2: bottom }));
      if (x < free) continue;
      const text = rules.slice(0, 2).join(" ") + (rules.length > 2 ? " +" + (rules.length - 2) : "");
      layers.front.append(by.s("path", { class: "sign flag", d: "M" + x + " " + (FLAG - 9) + "h7l-2 3.5l2 3.5h-7z" }), by.s("text", { class: "break-label", x: x + 10, y: FLAG }, text));
      free = x + 16 + text.length * 7;
    }
  }
})(window.bythebook);
