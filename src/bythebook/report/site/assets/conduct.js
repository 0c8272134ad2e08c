// The replay of a run of conduct.
"use strict";
(function (by) {
  const FILTERS = {
    all: ["everything", () => true],
    acts: ["without looking things up", (one) => by.kindOf(one) !== "read"],
    words: ["words", (one) => by.kindOf(one) === "words"],
    changes: ["changes", (one) => one.changes.length > 0],
    broken: ["broken rules", (one, data) => data.broken.some(({ at }) => at === one.i)],
  };

  /** The run's chunk with all that pages ask of it worked out once. */
  by.conductData = (run, task, chunk) => {
    const edition = task.editions[chunk.edition];
    const moments = by.unpacked(chunk.moments, task.pool);
    const rules = new Map(edition.rules.map((rule) => [rule.id, rule]));
    const found = new Map(chunk.findings.map((one) => [one.id, one]));
    const uses = new Map();
    for (const moment of moments)
      for (const one of moment.spoke)
        for (const id of one.approvals || []) uses.set(id, [...(uses.get(id) || []), moment.i]);
    return {
      run, edition, moments, rules, found, uses, outcome: chunk.outcome, says: chunk.says,
      lines: chunk.lines.map((line) => ({ row: "", ...line })), deadlines: chunk.deadlines.map((one) => ({ sign: "\u2264", ...one })),
      consents: chunk.consents, papers: chunk.papers, required: task.folder.required || [], procedures: task.folder.procedures || [],
      at: new Map(moments.map((moment) => [moment.i, moment])),
      broken: chunk.findings.filter((one) => one.verdict === "fail").map((one) => ({ rule: one.id, at: one.at === undefined ? null : one.at })),
    };
  };

  by.conductReplay = (run, task, chunk, start) => {
    const data = by.conductData(run, task, chunk);
    const stops = data.moments.filter((one) => one.kind !== "note").map((one) => one.i);
    const full = by.h("section", { class: "moment-panel", "aria-label": "This event", tabindex: "0" });
    const story = storyList(data, (i) => { player.stop(); player.to(i); });
    const timeline = by.timeline(data, (i) => { player.stop(); player.to(i); });
    const aside = by.aside(data, (i) => { player.stop(); player.to(i); });
    const [parts, options] = by.runLink(run);

    const player = by.player({
      stops,
      group: (i) => data.at.get(i).t,
      broken: [...new Set(data.broken.map((one) => one.at))].filter((i) => i !== null).sort((a, b) => a - b),
      changed: data.moments.filter((one) => one.changes.length).map((one) => one.i),
      of: (i) => saidOf(data, i),
      show(i) {
        by.replace(full, inFull(data, i, (to) => { player.stop(); player.to(to); }));
        story.show(i);
        timeline.show(i);
        aside.show(i);
        by.renamed([...parts, "event", i], options);
      },
    });
    const page = by.h("article", { class: "replay" }, by.runHead(run, verdicts(data), brokenList(data, (i) => { player.stop(); player.to(i); })),
      player.element, timeline.element,
      by.h("div", { class: "stage" }, story.element, full, aside.element));
    by.once(() => player.to(start === null ? stops[0] : start));
    return page;
  };

  // --- the head --------------------------------------------------------------------------------

  /** Title, who ran it, how it ended, and what came of it. */
  by.runHead = (run, verdict, more) => {
    const site = by.site;
    const task = site.tasks[run.task];
    const one = site.evaluations[run.of];
    return by.h("header", { class: "run-head" },
      by.h("p", { class: "crumb" }, by.link(["tasks", task.suite], {}, "Tasks"), " / ", by.link(["task", task.suite, task.id], {}, task.id)),
      by.h("h1", {}, task.title),
      by.h("p", { class: "about" }, one.label + ", run " + run.n + " \u00b7 " + run.outcome, siblings(run)),
      verdict, more);
  };

  function siblings(run) {
    const site = by.site;
    const others = site.runs.filter((one) => one.task === run.task && one !== run && one.replay !== null);
    if (!others.length) return null;
    const name = (one) => site.evaluations[one.of].label + ", run " + one.n;
    const self = site.evaluations[run.of].slug + "." + run.n;
    const task = site.tasks[run.task];
    return by.h("label", { class: "beside" }, " beside ", by.h("select", { onchange: (event) => {
      if (event.target.value) window.location.hash = by.to(["compare", task.suite, task.id], { a: self, b: event.target.value });
    } }, by.h("option", { value: "" }, "another run ..."), others.map((one) => by.h("option", { value: site.evaluations[one.of].slug + "." + one.n }, name(one)))));
  }

  function verdicts(data) {
    const run = data.run;
    return by.h("ul", { class: "verdicts" }, ["goal", "process", "protection", "strict"].map((kind) =>
      by.h("li", {}, by.h("span", { class: "kind" }, kind), by.mark(by.markOf(run[kind])))),
      run.exercised === false ? by.h("li", { class: "note" }, "some process rules were never asked") : null);
  }

  function brokenList(data, go) {
    if (!data.broken.length) return null;
    return by.h("ul", { class: "broken-rules" }, data.broken.map(({ rule, at }) => {
      const told = data.rules.get(rule);
      const what = [by.h("span", { class: "id" }, rule), " ", told ? told.says : "", told && told.source ? by.h("span", { class: "clause" }, told.source) : null];
      return by.h("li", {}, by.h("span", { class: "sign", "aria-hidden": "true" }, "\u2715"), by.hidden("broken: "),
        at === null ? [what, by.h("span", { class: "note" }, " not so at the end")]
          : [what, " ", by.h("button", { type: "button", class: "link", onclick: () => go(at) }, "at event " + at + ", " + by.clockAt(data.edition, data.at.get(at).t).clock)]);
    }));
  }

  // --- one event -------------------------------------------------------------------------------

  const breaksAt = (data, i) => data.broken.filter(({ at }) => at === i).map(({ rule }) => data.rules.get(rule) || { id: rule, says: "" });

  function saidOf(data, i) {
    const moment = data.at.get(i);
    const { clock } = by.clockAt(data.edition, moment.t);
    const last = data.moments[data.moments.length - 1].i;
    const broken = breaksAt(data, i).map((rule) => " Broken: " + rule.id + ", " + rule.says).join("");
    return { where: "event " + i + " of " + last + " \u00b7 " + clock, said: "Event " + i + ", " + clock + ", " + moment.who + ": " + by.brief(by.lineOf(moment), 160) + (moment.ok ? "" : ", refused") + "." + broken };
  }

  function inFull(data, i, go) {
    const moment = data.at.get(i);
    const { clock, day } = by.clockAt(data.edition, moment.t);
    const cause = moment.cause === undefined ? null : by.h("p", { class: "note" }, "brought about by ", by.h("button", { type: "button", class: "link", onclick: () => go(moment.cause) }, "event " + moment.cause));
    const head = ["Event " + i, by.h("span", { class: "when" }, day + " " + clock + ", minute " + moment.t + " \u00b7 " + moment.who + (moment.move === undefined ? "" : ", move " + moment.move))];
    return by.momentInFull(moment, head, { before: cause, broken: brokenHere(data, i), spoke: spokeHere(data, moment, go) });
  }

  function brokenHere(data, i) {
    return breaksAt(data, i).map((rule) => {
      const found = data.found.get(rule.id) || {};
      const values = Object.entries(found.values || {});
      return by.h("div", { class: "breach" },
        by.h("h3", {}, by.h("span", { "aria-hidden": "true" }, "\u2715 "), "Broken here: ", rule.id, by.h("span", { class: "tag" }, rule.kind)),
        by.h("p", {}, rule.says), rule.source ? by.h("p", { class: "clause" }, "The clause: ", rule.source) : null,
        found.why ? by.h("p", {}, "Why: ", found.why, found.margin ? ", missed by " + by.number(Math.abs(found.margin)) : "", found.write === undefined ? "" : ", at write " + found.write) : null,
        values.length ? by.h("details", {}, by.h("summary", {}, "What its names stood for"), by.value(found.values)) : null, by.written(rule));
    });
  }

  const PARTS = { asked: "looked at this", serves: "is served by this", again: "starts anew from here" };

  function spokeHere(data, moment, go) {
    if (!moment.spoke.length) return null;
    return [by.h("h3", {}, "Rules that spoke"), by.h("ul", { class: "spoke" }, moment.spoke.map((one) => {
      const rule = data.rules.get(one.rule) || { id: one.rule, says: "" };
      const found = data.found.get(one.rule);
      const broke = found && found.verdict === "fail" && found.at === moment.i;
      const sides = one.sides ? by.h("p", { class: "note" }, by.h("code", {}, one.sides[0]), " is ", by.h("b", {}, by.number(one.sides[1])), ", ", by.h("code", {}, one.sides[2]), " is ", by.h("b", {}, by.number(one.sides[3]))) : null;
      return by.h("li", {}, broke ? by.mark("broken", rule.id) : by.h("span", { class: "id" }, rule.id), " ", PARTS[one.part || "asked"], ": ", rule.says,
        (one.approvals || []).length ? by.h("p", { class: "note" }, "It rests on " + one.approvals.join(", ")) : null, sides);
    }))];
  }

  // --- the story -------------------------------------------------------------------------------

  function storyList(data, choose) {
    const list = by.h("ol", { class: "story", id: "story" });
    const state = { filter: "all", notes: false };
    const rows = new Map();
    let shown = null;
    let minute = null;
    for (const moment of data.moments) {
      const { clock } = by.clockAt(data.edition, moment.t);
      const row = by.storyRow(moment, moment.t === minute ? "" : clock, breaksAt(data, moment.i), () => choose(moment.i));
      minute = moment.t;
      rows.set(moment.i, row);
      list.append(row);
    }
    const end = data.broken.filter(({ at }) => at === null);
    if (end.length) list.append(by.h("li", { class: "row end" }, by.h("p", {}, "At the end: ", end.map(({ rule }) => [by.mark("broken", rule), " ", (data.rules.get(rule) || {}).says, " "]))));

    function sift() {
      for (const moment of data.moments)
        rows.get(moment.i).hidden = (moment.kind === "note" && state.filter !== "all") || (moment.kind === "note" && !state.notes) || !FILTERS[state.filter][1](moment, data);
    }
    sift();
    const filters = by.h("div", { class: "filters" }, by.h("label", {}, "Show ", by.h("select", { onchange: (event) => { state.filter = event.target.value; sift(); } },
      Object.entries(FILTERS).map(([name, [text]]) => by.h("option", { value: name }, text)))),
    data.moments.some((one) => one.kind === "note") ? by.h("label", {}, by.h("input", { type: "checkbox", onchange: (event) => { state.notes = event.target.checked; sift(); } }), " notes") : null);
    return {
      element: by.h("section", { class: "story-panel", "aria-label": "Story" }, by.h("div", { class: "panel-head" }, by.h("h2", {}, "Story"), filters), by.h("div", { class: "story-scroll", tabindex: "-1" }, list)),
      show(i) {
        if (shown) {
          shown.classList.remove("current");
          shown.querySelector("button").removeAttribute("aria-current");
        }
        shown = rows.get(i);
        shown.classList.add("current");
        shown.querySelector("button").setAttribute("aria-current", "step");
        const box = list.parentElement;
        if (box.scrollHeight > box.clientHeight + 4) {
          const top = shown.offsetTop - box.offsetTop;
          if (top < box.scrollTop + 20 || top + shown.offsetHeight > box.scrollTop + box.clientHeight - 20) box.scrollTop = top - box.clientHeight / 3;
        }
        for (const [n, row] of rows) row.classList.toggle("later", n > i);
      },
    };
  }
})(window.bythebook);
