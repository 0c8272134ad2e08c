// What a rule watches, as a line under the timeline: the value, its bound, and where it fell short.
"use strict";
(function (by) {
  const HIGH = 40;
  const BAND = 17;
  /** Left of it stands the line's own label. */
  const NAMED = 340;

  /** The point that holds after an event. */
  by.pointAt = (line, i) => {
    let found = line.points[0];
    for (const point of line.points) {
      if (point[0] > i) break;
      found = point;
    }
    return found;
  };

  const number = (value) => (value === null ? "none" : by.number(value));
  const text = (value) => (value === null ? "none" : Array.isArray(value) ? value.join(", ") : String(value));

  /** Does the comparison hold at a point? null: it cannot be told. */
  by.holds = (line, [, , left, right]) => {
    if (left === null || right === null) return line.sign === "=" || line.sign === "in" ? false : null;
    switch (line.sign) {
      case "=": return left === right;
      case "\u2260": return left !== right;
      case "<": return left < right;
      case "\u2264": return left <= right;
      case ">": return left > right;
      case "\u2265": return left >= right;
      case "in": return right.includes(left);
      default: return !right.includes(left);
    }
  };

  by.nameOf = (line) => [line.row, line.name].filter(Boolean).join(" ");
  by.sidesAt = (line, point) => {
    const say = line.shows === "number" ? number : text;
    return { left: say(point[2]), right: say(point[3]) };
  };

  /** Draw one line; gives what moves its label to an event. */
  by.stateLine = (line, data, scale, lane, layers, head) => {
    const rule = data.rules.get(line.rule);
    const goal = rule && rule.kind === "goal";
    const tall = line.shows === "number";
    const { top, label } = lane(tall ? head + HIGH + 6 : BAND + 5, "", line.rule + " " + by.nameOf(line) + " " + line.sign + " " + line.bound);
    label.classList.add("state");
    label.title = line.rule + ": " + line.says;
    const x = (point) => (point[0] < 0 ? 0 : scale.event(point[0]) + (point[1] || 0) * 0.7);
    if (tall) numbers(line, x, scale, layers, top + head, goal);
    else bands(line, x, scale, layers, top + 2);
    return (i) => {
      const point = by.pointAt(line, i);
      const { left, right } = by.sidesAt(line, point);
      const holds = by.holds(line, point);
      by.replace(label, by.h("span", { class: "id" }, line.rule), " ", by.nameOf(line), " ",
        by.h("b", { class: holds === false && !goal ? "broken" : null }, left), " ", by.h("span", { class: "bound" }, line.sign + " " + right));
    };
  };

  function numbers(line, x, scale, layers, top, goal) {
    const all = line.points.flatMap((point) => [point[2], point[3]]).filter((value) => value !== null);
    const [least, most] = [Math.min(...all), Math.max(...all)];
    const pad = most === least ? 1 : (most - least) * 0.12;
    const y = (value) => top + HIGH - (HIGH * (value - least + pad)) / (most - least + 2 * pad);
    const end = (n) => (n + 1 < line.points.length ? x(line.points[n + 1]) : scale.width);
    if (!goal && ["\u2264", "<", "\u2265", ">"].includes(line.sign)) {
      const above = line.sign === "\u2264" || line.sign === "<";
      line.points.forEach((point, n) => {
        if (point[3] === null) return;
        const edge = y(point[3]);
        layers.back.append(by.s("rect", { class: "forbidden", x: x(point), width: Math.max(0, end(n) - x(point)), y: above ? top : edge, height: Math.max(0, above ? edge - top : top + HIGH - edge) }));
      });
    }
    layers.front.append(by.s("path", { class: "limit" + (goal ? " goal" : ""), d: steps(line, 3, x, y, end) }), by.s("path", { class: "level" + (goal ? " goal" : ""), d: steps(line, 2, x, y, end) }));
    line.points.forEach((point, n) => {
      if (point[2] === null) return;
      const short = !goal && by.holds(line, point) === false;
      if (n || short) layers.front.append(by.s("circle", { class: "dot" + (short ? " broken" : "") + (goal ? " goal" : ""), cx: x(point), cy: y(point[2]), r: short ? 4 : 2.2 }));
    });
  }

  function steps(line, side, x, y, end) {
    let path = "";
    let pen = false;
    line.points.forEach((point, n) => {
      const value = point[side];
      if (value === null) {
        pen = false;
        return;
      }
      path += (pen ? "V" + y(value) : "M" + x(point) + " " + y(value)) + "H" + end(n);
      pen = true;
    });
    return path;
  }

  function bands(line, x, scale, layers, top) {
    line.points.forEach((point, n) => {
      const from = x(point);
      const width = Math.max(0, (n + 1 < line.points.length ? x(line.points[n + 1]) : scale.width) - from);
      const holds = by.holds(line, point);
      layers.front.append(by.s("rect", { class: "band" + (holds ? " holds" : ""), x: from, y: top, width: Math.max(0, width - 1), height: BAND, rx: 2 }));
      const shown = text(point[2]);
      if (from > NAMED && width > 10 + shown.length * 6.2) layers.front.append(by.s("text", { class: "small", x: from + 5, y: top + 12 }, shown));
    });
  }
})(window.bythebook);
