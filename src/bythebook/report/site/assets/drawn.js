// Small drawings inside pages: intervals in table cells, rows of outcomes.
"use strict";
(function (by) {
  /** A value between its bounds on a scale from `least` to `most`: decoration beside the numbers. */
  by.strip = (cell, least, most) => {
    const at = (value) => (most > least ? (100 * (value - least)) / (most - least) : 50);
    const has = (value) => value !== null && value !== undefined;
    const parts = [by.s("line", { class: "track", x1: 0, x2: 100, y1: 4, y2: 4 })];
    if (has(cell.low) && has(cell.high))
      parts.push(by.s("line", { class: "whisker", x1: at(cell.low), x2: at(cell.high), y1: 4, y2: 4 }));
    if (has(cell.least) && has(cell.most))
      parts.push(by.s("rect", { class: "between", x: at(cell.least), width: Math.max(1, at(cell.most) - at(cell.least)), y: 2, height: 4 }));
    if (has(cell.value)) parts.push(by.s("line", { class: "point", x1: at(cell.value), x2: at(cell.value), y1: 0.5, y2: 7.5 }));
    return by.s("svg", { class: "strip", viewBox: "-2 0 104 8", preserveAspectRatio: "none", "aria-hidden": "true", focusable: "false" }, parts);
  };

  /** The outcome of one run as a small square that leads to its replay. */
  by.square = (run) => {
    const site = by.site;
    const conduct = site.evaluations[run.of].suite === "conduct";
    const verdict = by.markOf(conduct ? run.strict : run.success);
    const goal = conduct && run.strict === false && run.goal === true;
    const words = conduct
      ? "run " + run.n + ": " + (verdict === "held" ? "strict success" : goal ? "goal reached, rules broken" : verdict === "void" ? "void" : "goal not reached")
      : "run " + run.n + ": " + (verdict === "held" ? "success" : verdict === "void" ? "open" : "no success") + ", score " + by.score(run);
    const shown = by.s("svg", { viewBox: "0 0 14 14", class: "square " + verdict + (goal ? " goal" : ""), "aria-hidden": "true", focusable: "false" },
      by.s("rect", { x: 1, y: 1, width: 12, height: 12, rx: 2 }),
      verdict === "held" ? by.s("path", { d: "M3.5 7.2 6 9.7 10.6 4.6" }) :
      verdict === "void" ? by.s("path", { d: "M4 7h6" }) :
      goal ? by.s("path", { d: "M4 10 10 4" }) : by.s("path", { d: "M4.3 4.3l5.4 5.4M9.7 4.3 4.3 9.7" }));
    if (run.replay === null) return by.h("span", { class: "run-square", title: words }, shown, by.hidden(words + "; "));
    return by.h("a", { class: "run-square", href: by.to(...by.runLink(run)), title: words }, shown, by.hidden(words));
  };

  by.score = (run) => {
    if (run.low === null) return "";
    const [low, high] = [by.inUnit(100 * run.low, "points"), by.inUnit(100 * run.high, "points")];
    return low === high ? low : low + " \u2013 " + high;
  };
})(window.bythebook);
