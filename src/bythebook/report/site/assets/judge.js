// Who judged what, how often judges differ, and what nobody could decide.
"use strict";
(function (by) {
  const COLUMNS = [
    ["evaluation", "evaluation", "text", ""], ["judge", "judge", "text", ""], ["runs", "runs", "count", "Runs with a judgement."],
    ["items", "items", "count", "Items of those runs; of each the last judgement."], ["passed", "satisfied", "count", ""], ["failed", "failed", "count", ""],
    ["void", "void", "count", "The judge reached no verdict: our own fault, never the agent's."], ["verified", "places looked up", "count", "Judgements whose cited places all exist and read so."],
    ["sessions", "sessions", "count", "Judgements made, earlier tries too."], ["calls", "tool calls", "count", ""], ["input", "tokens in", "tokens", ""], ["output", "tokens out", "tokens", ""], ["seconds", "seconds", "count", ""],
  ];

  by.page.judge = async () => {
    const site = by.site;
    const page = await by.need("judge");
    const rows = page.lines.map((line, n) => ({ key: String(n), cells: Object.fromEntries(COLUMNS.map(([key]) => [key, { value: key === "evaluation" ? site.evaluations[line.of].label : line[key] }])) }));
    const table = { id: "judges-here", title: "Judgements", says: "One line a judge and evaluation, from the journals that lie beside the runs.", suite: "deliverables", source: "", notes: rows.length ? [] : ["No run here was judged: checks decided alone, and what they left open is undecided."],
      columns: COLUMNS.map(([key, title, unit, says]) => ({ key, title, unit, says })), rows };
    const agreement = site.tables.filter((one) => one.id.startsWith("judge") && one.rows.length);
    return by.h("article", {}, by.h("h1", {}, "Judges"), decided(site, page), by.table(table), agreement.map((one) => by.table(one)), splits(site, page), causes(page), by.notes(page.problems));
  };

  /** Which share of all weight checks decided, judges decided, and nobody did. */
  function decided(site, page) {
    const judgesOf = (one) => [...new Set(page.lines.filter((line) => site.evaluations[line.of] === one).map((line) => line.judge))].join(", ") || one.judge || "checks alone";
    const found = site.evaluations.filter((one) => one.suite === "deliverables" && one.summary.delivered);
    if (!found.length) return null;
    const percent = (share) => by.inUnit(100 * share, "percent") + " %";
    return by.h("section", {}, by.h("h2", {}, "Who decided"), by.h("p", { class: "says" }, "Shares of the weight of all items of all runs. What nobody decided leaves a score between two bounds."),
      by.h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Who decided, table" }, by.h("table", { class: "sheet" }, by.h("caption", { class: "hidden" }, "Who decided"),
        by.h("thead", {}, by.h("tr", {}, ["evaluation", "judge", "checks", "judges", "nobody"].map((head, n) => by.h("th", { scope: "col", class: n > 1 ? "figure" : "words" }, head)))),
        by.h("tbody", {}, found.map((one) => {
          const { checks, judges, void: open } = one.summary.delivered.weight;
          return by.h("tr", {}, by.h("th", { scope: "row" }, one.label), by.h("td", { class: "words" }, judgesOf(one)), [checks, judges, open].map((share) => by.h("td", { class: "figure" }, percent(share))));
        })))));
  }

  function splits(site, page) {
    if (!page.splits.length) return null;
    const shown = (split) => {
      const place = site.tasks.findIndex((one) => one.id === split.task && one.suite === "deliverables");
      const run = site.runs.find((one) => one.task === place && one.n === split.n && one.of === split.of);
      const text = site.evaluations[split.of].label + ", " + split.task + ", run " + split.n;
      if (!run || run.replay === null) return text;
      const [parts, options] = by.runLink(run);
      return by.link([...parts, "item", split.item], options, text);
    };
    return by.h("section", { class: "board" }, by.h("h2", {}, "Where judges differ"),
      by.h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Where judges differ, table" }, by.h("table", { class: "sheet" }, by.h("caption", { class: "hidden" }, "Items on which judges differ"),
        by.h("thead", {}, by.h("tr", {}, ["item", "run", "said"].map((head) => by.h("th", { scope: "col" }, head)))),
        by.h("tbody", {}, page.splits.map((split) => by.h("tr", {}, by.h("th", { scope: "row" }, by.h("span", { class: "id" }, split.item)), by.h("td", { class: "words" }, shown(split)),
          by.h("td", {}, split.marks.map(([judge, verdict, cause]) => by.h("p", {}, judge, " ", by.mark(verdict === "pass" ? "held" : verdict === "fail" ? "broken" : "void", "", by.DONE), cause ? " " + cause : "")))))))),
      page.left_out ? by.h("p", { class: "note" }, by.number(page.left_out) + " more are not listed.") : null);
  }

  function causes(page) {
    if (!page.causes.length) return null;
    return by.h("section", {}, by.h("h2", {}, "Why judgements are void"), by.h("dl", { class: "fields" }, page.causes.map(([cause, count]) => [by.h("dt", {}, cause), by.h("dd", {}, by.number(count))])));
  }
})(window.bythebook);
