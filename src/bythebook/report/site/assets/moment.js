// One event in full, and in one row of the story.
"use strict";
(function (by) {
  const NAMES = { agent: "agent", customer: "customer", company: "company" };

  /** Puts what the pool holds back in its place, so that pages need not know of it. */
  by.unpacked = (moments, pool) => moments.map((one) => ({
    who: "agent", kind: "call", ok: true, changes: [], spoke: [], cut: 0, ...one,
    args: one.args_at !== undefined ? pool[one.args_at] : one.args === undefined ? {} : one.args,
    answer: one.hits ? one.hits.map((place) => pool[place]) : one.answer_at !== undefined ? pool[one.answer_at] : one.answer === undefined ? null : one.answer,
  }));

  by.wordsOf = (moment) => {
    const text = moment.args && moment.args.text;
    const says = moment.kind === "message" || (moment.name === "message_customer" && moment.ok);
    return says && typeof text === "string" ? text : null;
  };

  by.lineOf = (moment) => {
    const words = by.wordsOf(moment);
    if (words !== null) return "\u201c" + by.brief(words, 400) + "\u201d";
    const args = Object.entries(moment.args || {}).map(([name, value]) => name + "=" + by.brief(value, 60)).join(" ");
    return moment.name + (args ? " " + by.brief(args, 160) : "");
  };

  function changed(change) {
    const [table, key, fresh, cells] = change;
    const told = Object.entries(cells).filter(([name]) => name !== "id" && !name.endsWith("_hash")).slice(0, fresh ? 5 : 4)
      .map(([name, [old, now]]) => (fresh ? name + " " + by.brief(now, 28) : name + " " + by.brief(old === null ? "none" : old, 24) + " \u2192 " + by.brief(now === null ? "none" : now, 24)));
    return by.h("span", { class: "changed" }, by.h("b", {}, table + " " + key), fresh ? " new: " : ": ", told.join(", "));
  }

  /** A row of the story. `place`: event number, clock or turn. */
  by.storyRow = (moment, place, broken, choose) => {
    const words = by.wordsOf(moment);
    const more = moment.changes.length - 3;
    return by.h("li", { class: "row " + moment.who + " " + by.kindOf(moment) + (moment.kind === "note" ? " note" : ""), "data-i": moment.i },
      by.h("button", { type: "button", class: "moment", onclick: choose },
        by.h("span", { class: "number" }, moment.i), by.h("span", { class: "clock" }, place),
        by.h("span", { class: "told" },
          moment.who === "agent" ? by.hidden("agent: ") : [by.h("span", { class: "who" }, NAMES[moment.who] || moment.who), " "],
          words !== null ? by.h("span", { class: "speech" }, by.lineOf(moment)) : [by.h("b", {}, moment.name), " ", by.lineOf(moment).slice(moment.name.length + 1)],
          moment.ok ? null : by.h("span", { class: "refusal" }, "refused: " + by.brief(moment.answer, 160)),
          moment.changes.slice(0, 3).map(changed), more > 0 ? by.h("span", { class: "changed" }, "and " + by.plural(more, "more row")) : null,
          broken.map((rule) => by.h("span", { class: "flag" }, by.h("span", { "aria-hidden": "true" }, "\u2715 "), "broken: ", by.h("b", {}, rule.id), " ", rule.says)))));
  };

  // --- in full ---------------------------------------------------------------------------------

  function changesTable(change) {
    const [table, key, fresh, cells] = change;
    const heads = fresh ? ["column", "value"] : ["column", "before", "after"];
    return by.h("div", { class: "change" },
      by.h("h4", {}, table + " " + key, fresh ? by.h("span", { class: "tag" }, "new") : null),
      by.h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": table + " " + key },
        by.h("table", { class: "rows" }, by.h("caption", { class: "hidden" }, table + " " + key + (fresh ? ", a new row" : ", what changed")),
          by.h("thead", {}, by.h("tr", {}, heads.map((head) => by.h("th", { scope: "col" }, head)))),
          by.h("tbody", {}, Object.entries(cells).map(([name, [old, now]]) => by.h("tr", {}, by.h("th", { scope: "row" }, name),
            fresh ? null : by.h("td", { class: "before" }, by.value(old, 1)), by.h("td", { class: "after" }, by.value(now, 1))))))));
  }

  function answered(moment) {
    if (moment.kind === "event" || by.wordsOf(moment) !== null) return null;
    const cut = moment.cut ? by.h("p", { class: "note" }, by.number(moment.cut) + " more characters stand in the trace.") : null;
    return [by.h("h3", {}, moment.ok ? "Answer" : "Refused"),
      by.h("div", { class: moment.ok ? "answer" : "answer refusal" }, by.value(moment.answer)), cut];
  }

  by.momentInFull = (moment, head, more) => {
    const words = by.wordsOf(moment);
    return by.h("div", { class: "in-full" },
      by.h("h2", {}, head), more.before,
      words !== null ? by.h("blockquote", { class: "speech " + moment.who }, by.paragraphs(words).map((part) => by.h("p", {}, part)))
        : [by.h("p", { class: "act" }, by.h("b", {}, moment.name), moment.kind === "note" ? by.h("span", { class: "tag" }, "note") : null),
          Object.keys(moment.args || {}).length ? by.value(moment.args) : null],
      more.broken, moment.changes.length ? [by.h("h3", {}, "What it changed"), moment.changes.map(changesTable)] : null,
      more.spoke, answered(moment));
  };
})(window.bythebook);
