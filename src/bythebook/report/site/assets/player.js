// The controls of a replay: play, step, jump; by button, by slider and by key.
"use strict";
(function (by) {
  const SPEEDS = [1, 2, 4, 8];
  const BEAT = 900;
  const KEYS = [
    ["space", "play or stop"],
    ["\u2190 \u2192", "one event back, on"],
    ["shift \u2190 \u2192", "one minute or turn back, on"],
    ["n, p", "next, previous place where a rule broke"],
    ["w, b", "next, previous change of a record or file"],
    ["Home, End", "first, last event"],
  ];

  const ICONS = {
    first: "M4 3v10M13 3 6 8l7 5z", back: "M11 3 4 8l7 5z", play: "M4 2.5 13 8l-9 5.5z", stop: "M4 3h3v10H4zM9 3h3v10H9z", on: "M5 3l7 5-7 5z", last: "M12 3v10M3 3l7 5-7 5z",
    before: "M9 3 4 8l5 5M10.5 5.5l4 5m0-5-4 5", after: "M7 3l5 5-5 5M1.5 5.5l4 5m0-5-4 5",
  };
  const icon = (name) => by.s("svg", { class: "icon " + name, viewBox: "0 0 16 16", "aria-hidden": "true", focusable: "false" }, by.s("path", { d: ICONS[name] }));

  /**
   * stops: numbers of the events that are stepped through, in order. of(i): what is said of one.
   * group(i): minute or turn. broken, changed: numbers of events to jump to. show(i): draw it.
   */
  by.player = (film) => {
    const state = { place: 0, timer: 0, speed: 0, keys: true };
    const last = film.stops.length - 1;
    const at = () => film.stops[state.place];

    const button = (label, sign, act, extra) =>
      by.h("button", { type: "button", title: label, "aria-label": label, onclick: act, ...extra }, icon(sign));
    const play = button("Play", "play", () => toggle(), { class: "play" });
    const speed = by.h("button", { type: "button", class: "quiet", title: "Speed", onclick: () => { state.speed = (state.speed + 1) % SPEEDS.length; label(); if (state.timer) run(); } });
    const slider = by.h("input", { type: "range", min: 0, max: last, step: 1, value: 0, "aria-label": "Position in the run", oninput: (event) => go(Number(event.target.value)) });
    const where = by.h("output", { class: "where" });
    const said = by.h("p", { class: "hidden", role: "status", "aria-live": "polite" });

    function label() {
      speed.textContent = SPEEDS[state.speed] + "\u00d7";
      const running = Boolean(state.timer);
      by.replace(play, icon(running ? "stop" : "play"));
      play.setAttribute("aria-label", running ? "Stop" : "Play");
      play.title = running ? "Stop (space)" : "Play (space)";
    }

    function stop() {
      window.clearInterval(state.timer);
      state.timer = 0;
      label();
    }

    function run() {
      window.clearInterval(state.timer);
      state.timer = window.setInterval(() => (state.place < last ? go(state.place + 1) : stop()), BEAT / SPEEDS[state.speed]);
      label();
    }

    function toggle() {
      if (state.timer) return stop();
      if (state.place >= last) go(0);
      return run();
    }

    function go(place) {
      state.place = Math.max(0, Math.min(last, place));
      slider.value = String(state.place);
      const told = film.of(at());
      slider.setAttribute("aria-valuetext", told.said);
      where.textContent = told.where;
      said.textContent = told.said;
      film.show(at());
    }

    /** To an event; the nearest earlier one if it is no stop. */
    function to(i) {
      let place = film.stops.findIndex((stop) => stop > i) - 1;
      if (place < -1) place = last;
      go(Math.max(0, place));
    }

    function jump(places, forward) {
      const found = forward ? places.find((i) => i > at()) : [...places].reverse().find((i) => i < at());
      if (found !== undefined) to(found);
    }

    function group(forward) {
      const own = film.group(at());
      let place = state.place;
      while (place > 0 && place < last + 1 && film.group(film.stops[place]) === own) place += forward ? 1 : -1;
      if (place === 0 && forward) while (place <= last && film.group(film.stops[place]) === own) place += 1;
      go(place);
    }

    const ACTS = {
      " ": () => toggle(),
      ArrowRight: () => go(state.place + 1),
      ArrowLeft: () => go(state.place - 1),
      "shift ArrowRight": () => group(true),
      "shift ArrowLeft": () => group(false),
      Home: () => go(0),
      End: () => go(last),
      n: () => jump(film.broken, true),
      p: () => jump(film.broken, false),
      w: () => jump(film.changed, true),
      b: () => jump(film.changed, false),
    };

    function pressed(event) {
      if (!state.keys || event.ctrlKey || event.metaKey || event.altKey) return;
      const place = event.target;
      const typing = place.matches && place.matches("input:not([type=range]), select, textarea, [contenteditable]");
      const pressing = event.key === " " && place.matches && place.matches("button, a, summary, input");
      const sliding = place === slider && event.key.startsWith("Arrow") && !event.shiftKey;
      if (typing || pressing || sliding) return;
      const act = ACTS[(event.shiftKey && event.key.startsWith("Arrow") ? "shift " : "") + event.key];
      if (!act) return;
      event.preventDefault();
      if (event.key !== " ") stop();
      act();
    }

    const jumps = film.broken.length
      ? [button("Previous broken rule", "before", () => jump(film.broken, false), { class: "jump" }), button("Next broken rule", "after", () => jump(film.broken, true), { class: "jump" })]
      : [];
    const element = by.h("div", { class: "player", role: "group", "aria-label": "Replay" },
      by.h("div", { class: "buttons" },
        button("First event", "first", () => { stop(); go(0); }), button("Back", "back", () => { stop(); go(state.place - 1); }), play,
        button("On", "on", () => { stop(); go(state.place + 1); }), button("Last event", "last", () => { stop(); go(last); }), jumps, speed),
      slider, where, said,
      by.h("details", { class: "keys" }, by.h("summary", {}, "Keys"),
        by.h("dl", { class: "fields" }, KEYS.map(([key, does]) => [by.h("dt", {}, by.h("kbd", {}, key)), by.h("dd", {}, does)])),
        by.h("label", {}, by.h("input", { type: "checkbox", checked: true, onchange: (event) => { state.keys = event.target.checked; } }), " keys are on")));

    document.addEventListener("keydown", pressed);
    by.leaving(() => { stop(); document.removeEventListener("keydown", pressed); });
    label();
    return { element, to, at, stop };
  };
})(window.bythebook);
