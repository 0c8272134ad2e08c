// The scale of a timeline: minutes in a row, each as wide as its events need.
//
// Much happens within one minute, since reading costs no time, and then nothing for an hour. So a
// minute takes a fixed width for each of its events, and a stretch without events is drawn short.
"use strict";
(function (by) {
  const EVENT = 9;
  const MINUTE = 6;
  const LONGEST = 48;
  const MARGIN = 14;

  /** moments: in order. least: pixels that are there to be filled. */
  by.scale = (moments, least, after) => {
    const minutes = [];
    for (const moment of moments) {
      const last = minutes[minutes.length - 1];
      if (last && last.t === moment.t) last.count += 1;
      else minutes.push({ t: moment.t, count: 1 });
    }
    const gap = (from, to) => Math.min(LONGEST, MINUTE * Math.max(0, to - from));
    const end = minutes.length ? minutes[minutes.length - 1].t : 0;
    const beyond = after > end ? Math.max(30, gap(end, after)) : 0;
    const events = minutes.reduce((sum, one) => sum + one.count, 0) * EVENT;
    const gaps = minutes.slice(1).reduce((sum, one, n) => sum + gap(minutes[n].t, one.t), 0);
    const free = least - 2 * MARGIN - gaps - beyond;
    const width = free > events && events ? (EVENT * free) / events : EVENT;

    let x = MARGIN;
    minutes.forEach((one, n) => {
      if (n) x += gap(minutes[n - 1].t, one.t);
      one.from = x;
      x += one.count * width;
      one.to = x;
    });
    const places = new Map();
    let current = -1;
    let within = 0;
    for (const moment of moments) {
      const minute = minutes[current];
      if (!minute || minute.t !== moment.t) [current, within] = [current + 1, 0];
      places.set(moment.i, minutes[current].from + (within + 0.5) * width);
      within += 1;
    }

    /** Where a minute begins; between two minutes with events, and beyond the last, in proportion. */
    function ofMinute(t) {
      const next = minutes.findIndex((one) => one.t >= t);
      if (next === 0) return minutes[0].from;
      if (next < 0) {
        const span = Math.max(1, after - end);
        return Math.min(1, (t - end) / span) * beyond + (minutes.length ? minutes[minutes.length - 1].to : MARGIN);
      }
      const [a, b] = [minutes[next - 1], minutes[next]];
      return b.t === t ? b.from : a.to + ((t - a.t) / (b.t - a.t)) * (b.from - a.to);
    }

    return {
      width: Math.max(least, x + beyond + MARGIN), minutes, event: (i) => places.get(i), minute: ofMinute, step: width,
      /** The event nearest to a place. */
      nearest(place) {
        let [best, distance] = [moments[0].i, Infinity];
        for (const [i, at] of places) if (Math.abs(at - place) < distance) [best, distance] = [i, Math.abs(at - place)];
        return best;
      },
    };
  };
})(window.bythebook);
