// Two runs of one task side by side, and where they first part.
"use strict";
(function (by) {
  by.page.compare = async (suite, id, { a, b }) => {
    const site = by.site;
    const place = site.tasks.findIndex((one) => one.suite === suite && one.id === id);
    if (place < 0) return by.page.missing();
    const runs = [a, b].map((name) => named(site, place, name || ""));
    if (runs.some((run) => !run || run.replay === null)) return by.page.missing();
    const task = site.tasks[place];
    const [common, ...chunks] = await Promise.all([by.need("task/" + task.chunk), ...runs.map((run) => by.need("run/" + run.replay))]);
    const make = suite === "conduct" ? by.conductData : by.handedData;
    const data = runs.map((run, n) => make(run, common, chunks[n]));
    return by.h("article", { class: "compare" },
      by.h("p", { class: "crumb" }, by.link(["tasks", suite], {}, "Tasks"), " / ", by.link(["task", suite, id], {}, id)),
      by.h("h1", {}, task.title + ", side by side"),
      outcomes(suite, data),
      suite === "conduct" ? [partings(data), ways(data)] : [items(data), words(data)]);
  };

  function named(site, place, name) {
    const cut = name.lastIndexOf(".");
    const [slug, n] = [name.slice(0, cut), Number(name.slice(cut + 1))];
    return site.runs.find((run) => run.task === place && run.n === n && site.evaluations[run.of].slug === slug);
  }

  const titleOf = (run) => by.site.evaluations[run.of].label + ", run " + run.n;

  function outcomes(suite, data) {
    const lines = suite === "conduct"
      ? [...["goal", "process", "protection", "strict"].map((kind) => [kind, (run) => by.mark(by.markOf(run[kind]))]), ["calls", (run) => by.number(run.calls)], ["ended", (run) => run.outcome],
        ["broken rules", (run) => run.broken.map(([rule]) => [by.h("span", { class: "id" }, rule), " "])]]
      : [["score", (run) => by.score(run)], ["success", (run) => by.mark(by.markOf(run.success), "", { held: "yes", broken: "no", void: "open" })], ["calls", (run) => by.number(run.calls)], ["ended", (run) => run.outcome]];
    return by.h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Outcomes, table" }, by.h("table", { class: "sheet" }, by.h("caption", { class: "hidden" }, "Outcomes of the two runs"),
      by.h("thead", {}, by.h("tr", {}, by.h("td", {}), data.map(({ run }) => by.h("th", { scope: "col" }, by.h("a", { href: by.to(...by.runLink(run)) }, titleOf(run)))))),
      by.h("tbody", {}, lines.map(([name, say]) => by.h("tr", {}, by.h("th", { scope: "row" }, name), data.map(({ run }) => by.h("td", {}, say(run))))))));
  }

  // --- conduct ---------------------------------------------------------------------------------

  const told = (moment) => moment.kind !== "note";
  const actOf = (moment) => JSON.stringify([moment.who, moment.kind, moment.name, moment.args]);
  const acts = (one) => one.moments.filter(told);
  /** Only the rows and values: numbers of new rows may differ, since they are given in order. */
  const changesOf = (moment) => JSON.stringify(moment.changes.map(([table, key, fresh, cells]) => [table, fresh ? "" : key, Object.entries(cells).filter(([name]) => name !== "id").map(([name, [, now]]) => [name, now])]));
  const changing = (one) => one.moments.filter((moment) => moment.changes.length);

  /** The first place at which two lists are not the same; -1: they never part. */
  by.parting = (left, right, key) => {
    const length = Math.max(left.length, right.length);
    for (let n = 0; n < length; n += 1) if (!left[n] || !right[n] || key(left[n]) !== key(right[n])) return n;
    return -1;
  };

  function partings(data) {
    return by.h("section", {}, by.h("h2", {}, "Where they part"),
      parting(data, acts, actOf, "first-act", "The first different act", "Up to here both did and heard the same."),
      parting(data, changing, changesOf, "first-change", "The first different change of a record", "Up to here both had changed the same rows to the same values, in the same order."));
  }

  function parting(data, pick, key, name, title, same) {
    const lists = data.map(pick);
    const place = by.parting(...lists, key);
    if (place < 0) return by.h("div", { class: "parting", id: name }, by.h("h3", {}, title), by.h("p", {}, "There is none."));
    return by.h("div", { class: "parting", id: name }, by.h("h3", {}, title), by.h("p", { class: "note" }, place ? by.number(place) + " before it were the same. " + same : "They part at once."),
      by.h("div", { class: "pair" }, data.map((one, n) => side(one, lists[n][place]))));
  }

  function side(one, moment) {
    if (!moment) return by.h("div", { class: "side" }, by.h("h4", {}, titleOf(one.run)), by.h("p", {}, "Nothing more happened."));
    const { clock } = by.clockAt(one.edition, moment.t);
    return by.h("div", { class: "side" }, by.h("h4", {}, titleOf(one.run)),
      by.h("p", { class: "note" }, by.h("a", { href: by.to(...by.runLink(one.run, moment.i)) }, "event " + moment.i), ", " + clock + ", " + moment.who),
      by.h("ol", { class: "story" }, by.storyRow(moment, clock, [], () => { window.location.hash = by.to(...by.runLink(one.run, moment.i)); })));
  }

  /** What changed records, and what was said, minute by minute, one run in each column. */
  function ways(data) {
    const picked = data.map((one) => one.moments.filter((moment) => moment.changes.length || by.wordsOf(moment) !== null || one.broken.some(({ at }) => at === moment.i)));
    const minutes = [...new Set(picked.flat().map((moment) => moment.t))].sort((a, b) => a - b);
    return by.h("section", {}, by.h("h2", {}, "Words and changes, minute by minute"),
      by.h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Both ways, table" }, by.h("table", { class: "sheet ways" }, by.h("caption", { class: "hidden" }, "Words and changes of the two runs"),
        by.h("thead", {}, by.h("tr", {}, by.h("th", { scope: "col" }, "clock"), data.map(({ run }) => by.h("th", { scope: "col" }, titleOf(run))))),
        by.h("tbody", {}, minutes.map((t) => by.h("tr", {}, by.h("th", { scope: "row" }, by.clockAt(data[0].edition, t).clock),
          data.map((one, n) => by.h("td", {}, by.h("ol", { class: "story" }, picked[n].filter((moment) => moment.t === t).map((moment) =>
            by.storyRow(moment, "", one.broken.filter(({ at }) => at === moment.i).map(({ rule }) => one.rules.get(rule)), () => { window.location.hash = by.to(...by.runLink(one.run, moment.i)); }))))))))))); 
  }

  // --- deliverables ----------------------------------------------------------------------------

  function items([left, right]) {
    const other = new Map(right.items.map((item) => [item.id, item]));
    const parted = left.items.filter((item) => other.has(item.id) && other.get(item.id).found.verdict !== item.found.verdict);
    const cell = (one, item) => by.h("td", {}, by.h("a", { href: by.to([...by.runLink(one.run)[0], "item", item.id], by.runLink(one.run)[1]) }, by.mark(by.verdictOf(item.found), "", by.DONE)),
      item.found.seen ? by.h("p", { class: "note" }, "reads " + by.brief(item.found.seen, 120)) : null);
    return by.h("section", {}, by.h("h2", {}, "Items on which they differ"), parted.length
      ? by.h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Items, table" }, by.h("table", { class: "sheet" }, by.h("caption", { class: "hidden" }, "Items on which the two runs differ"),
        by.h("thead", {}, by.h("tr", {}, by.h("th", { scope: "col" }, "item"), by.h("th", { scope: "col", class: "figure" }, "weight"), [left, right].map(({ run }) => by.h("th", { scope: "col" }, titleOf(run))))),
        by.h("tbody", {}, parted.map((item) => by.h("tr", {}, by.h("th", { scope: "row" }, by.h("span", { class: "id" }, item.id), " ", item.says), by.h("td", { class: "figure" }, item.weight), cell(left, item), cell(right, other.get(item.id)))))))
      : by.h("p", {}, "There are none."));
  }

  function words(data) {
    const lists = data.map(acts);
    const place = by.parting(...lists, actOf);
    return by.h("section", {}, by.h("h2", {}, "Where they part"), place < 0 ? by.h("p", {}, "Both did the same.")
      : by.h("div", { class: "pair" }, data.map((one, n) => {
        const moment = lists[n][place];
        return by.h("div", { class: "side" }, by.h("h3", {}, titleOf(one.run)), moment
          ? by.h("ol", { class: "story" }, by.storyRow(moment, moment.move === undefined ? "" : "turn " + moment.move, [], () => { window.location.hash = by.to(...by.runLink(one.run, moment.i)); })) : by.h("p", {}, "Nothing more happened."));
      })));
  }
})(window.bythebook);
