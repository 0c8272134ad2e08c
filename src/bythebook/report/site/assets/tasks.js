// Tasks: every run as a square; and one task with its rules, its runs and what they broke.
"use strict";
(function (by) {
  by.page.tasks = (suite) => {
    const site = by.site;
    const suites = site.suites.map((one) => one.name).filter((name) => !suite || name === suite);
    if (!suites.length) return by.page.missing();
    return by.h("article", {},
      by.h("h1", {}, "Tasks and runs"),
      legend(suites),
      suites.map((name) => matrix(site, name)));
  };

  function legend(suites) {
    const told = [["held", suites.includes("conduct") ? "strict success" : "success"]];
    if (suites.includes("conduct")) told.push(["goal", "goal reached, rules broken"]);
    told.push(["broken", suites.includes("conduct") ? "goal not reached" : "no success"], ["void", "void or open"]);
    return by.h("ul", { class: "legend", "aria-label": "What the squares mean" }, told.map(([kind, text]) =>
      by.h("li", {}, sample(kind), text)));
  }

  function sample(kind) {
    const verdict = kind === "goal" ? "broken goal" : kind;
    const path = { held: "M3.5 7.2 6 9.7 10.6 4.6", goal: "M4 10 10 4", broken: "M4.3 4.3l5.4 5.4M9.7 4.3 4.3 9.7", void: "M4 7h6" }[kind];
    return by.s("svg", { viewBox: "0 0 14 14", class: "square " + verdict, "aria-hidden": "true", focusable: "false" },
      by.s("rect", { x: 1, y: 1, width: 12, height: 12, rx: 2 }), by.s("path", { d: path }));
  }

  function matrix(site, suite) {
    const places = site.tasks.map((task, place) => ({ task, place })).filter(({ task }) => task.suite === suite);
    const columns = site.evaluations.map((one, of) => ({ one, of })).filter(({ one }) => one.suite === suite);
    const cells = new Map();
    for (const run of site.runs) {
      const key = run.task + "/" + run.of;
      if (!cells.has(key)) cells.set(key, []);
      cells.get(key).push(run);
    }
    const body = by.h("tbody", {});
    const draw = (words) => {
      const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
      const kept = places.filter(({ task }) => {
        const text = [task.id, task.title, task.domain || "", ...(task.tags || [])].join(" ").toLowerCase();
        return wanted.every((word) => text.includes(word));
      });
      by.replace(body, kept.map(({ task, place }) => by.h("tr", {},
        by.h("th", { scope: "row" }, by.link(["task", suite, task.id], {}, task.title),
          by.h("span", { class: "id" }, task.id)),
        columns.map(({ of }) => by.h("td", { class: "squares" }, (cells.get(place + "/" + of) || []).map(by.square))))));
    };
    draw("");
    return by.h("section", { class: "board" },
      by.h("h2", {}, by.suiteTitle(suite)),
      by.h("div", { class: "controls" }, by.h("label", { class: "filter" }, "Filter tasks ",
        by.h("input", { type: "search", autocomplete: "off", spellcheck: "false", oninput: (event) => draw(event.target.value) }))),
      by.h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Every task and run, table" },
        by.h("table", { class: "sheet matrix" }, by.h("caption", { class: "hidden" }, "Every task and run"),
          by.h("thead", {}, by.h("tr", {}, by.h("th", { scope: "col" }, "task"),
            columns.map(({ one }) => by.h("th", { scope: "col" }, one.label)))), body)));
  }

  // --- one task --------------------------------------------------------------------------------

  by.page.task = async (suite, id) => {
    const site = by.site;
    const place = site.tasks.findIndex((one) => one.suite === suite && one.id === id);
    if (place < 0) return by.page.missing();
    const task = site.tasks[place];
    const chunk = await by.need("task/" + task.chunk);
    const runs = site.runs.filter((run) => run.task === place);
    const edition = chunk.editions[0];
    const rules = edition ? (suite === "conduct" ? edition.rules : edition.items) : [];
    return by.h("article", { class: "task" },
      by.h("p", { class: "crumb" }, by.link(["tasks", suite], {}, "Tasks")),
      by.h("h1", {}, task.title), by.h("p", { class: "id" }, [id, task.domain].filter(Boolean).join(" \u00b7 ")),
      runsTable(suite, runs),
      asked(chunk, edition, suite),
      suite === "conduct" ? rulesTable(rules, runs) : itemsTable(rules, runs),
      suite === "conduct" ? procedures(chunk) : faults(chunk),
      chunk.editions.length > 1 ? by.h("p", { class: "note" },
        "The task was changed between evaluations: its runs stand on " + chunk.editions.length + " editions. Above is the first.") : null);
  };

  function asked(chunk, edition, suite) {
    const text = suite === "conduct" ? chunk.folder.request : edition ? edition.prompt : "";
    if (!text) return null;
    return by.h("details", { class: "asked", open: suite === "conduct" },
      by.h("summary", {}, by.h("h2", {}, suite === "conduct" ? "What the customer asks" : "What was asked for")),
      by.h("div", { class: "prose" }, by.paragraphs(text).map((part) => by.h("p", {}, part))));
  }

  function runsTable(suite, runs) {
    const site = by.site;
    const conduct = suite === "conduct";
    const heads = conduct
      ? ["run", "goal", "process", "protection", "strict", "calls", "how it ended", "broken", ""]
      : ["run", "score", "success", "calls", "how it ended", "failed items", ""];
    const broken = (run) => run.broken.length
      ? run.broken.map(([rule, at]) => [run.replay === null ? by.h("span", { class: "id" }, rule)
        : by.h("a", { class: "id", href: conduct ? by.to(...by.runLink(run, at)) : itemAddress(run, rule) }, rule), " "])
      : "";
    const first = (run) => by.h("th", { scope: "row" },
      run.replay === null ? [site.evaluations[run.of].label + ", run " + run.n]
        : by.h("a", { href: by.to(...by.runLink(run)) }, site.evaluations[run.of].label + ", run " + run.n));
    const cells = (run) => conduct
      ? [["goal", "process", "protection", "strict"].map((kind) => by.h("td", {}, by.mark(by.markOf(run[kind])))),
        by.h("td", { class: "figure" }, by.number(run.calls)), by.h("td", { class: "words" }, run.outcome), by.h("td", { class: "words broken-list" }, broken(run))]
      : [by.h("td", { class: "figure" }, by.score(run)), by.h("td", {}, by.mark(by.markOf(run.success), "", { held: "yes", broken: "no", void: "open" })),
        by.h("td", { class: "figure" }, by.number(run.calls)), by.h("td", { class: "words" }, run.outcome), by.h("td", { class: "words broken-list" }, broken(run))];
    return by.h("section", { class: "board" }, by.h("h2", {}, "Runs"),
      runs.filter((run) => run.replay !== null).length > 1 ? comparing(runs) : null,
      by.h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Runs, table" },
        by.h("table", { class: "sheet" }, by.h("caption", { class: "hidden" }, "Runs of this task"),
          by.h("thead", {}, by.h("tr", {}, heads.slice(0, -1).map((head) => by.h("th", { scope: "col", class: ["calls", "score"].includes(head) ? "figure" : "words" }, head)))),
          by.h("tbody", {}, runs.map((run) => by.h("tr", {}, first(run), cells(run)))))));
  }

  function itemAddress(run, item) {
    const [parts, options] = by.runLink(run);
    return by.to([...parts, "item", item], options);
  }

  /** Two choices and a way to the page that sets them side by side. */
  function comparing(runs) {
    const site = by.site;
    const kept = runs.filter((run) => run.replay !== null);
    const name = (run) => site.evaluations[run.of].slug + "." + run.n;
    const other = kept.find((run) => run.strict !== kept[0].strict || run.success !== kept[0].success || run.of !== kept[0].of) || kept[1];
    const choice = (label, chosen) => by.h("label", {}, label, " ", by.h("select", {}, kept.map((run) =>
      by.h("option", { value: name(run), selected: run === chosen }, site.evaluations[run.of].label + ", run " + run.n))));
    const [left, right] = [choice("Compare", kept[0]), choice("with", other)];
    const task = site.tasks[kept[0].task];
    return by.h("form", { class: "comparing", onsubmit: (event) => {
      event.preventDefault();
      const value = (label) => label.querySelector("select").value;
      window.location.hash = by.to(["compare", task.suite, task.id], { a: value(left), b: value(right) });
    } }, left, right, by.h("button", { type: "submit" }, "Side by side"));
  }

  function broke(runs, id) {
    const found = runs.filter((run) => run.broken.some(([rule]) => rule === id));
    const shown = found.find((run) => run.replay !== null);
    if (!found.length) return by.h("td", { class: "figure" }, "0");
    const at = shown ? shown.broken.find(([rule]) => rule === id)[1] : null;
    const conduct = by.site.evaluations[found[0].of].suite === "conduct";
    const where = shown ? (conduct ? by.to(...by.runLink(shown, at)) : itemAddress(shown, id)) : null;
    const text = found.length + " of " + runs.length;
    return by.h("td", { class: "figure" }, where ? by.h("a", { href: where }, text) : text);
  }

  function rulesTable(rules, runs) {
    if (!rules.length) return null;
    const kinds = ["goal", "process", "protection"];
    const sorted = [...rules].sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
    return by.h("section", { class: "board" }, by.h("h2", {}, "Rules"),
      by.h("p", { class: "says" }, "A run is a strict success when every one of them holds over its whole history."),
      by.h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Rules, table" },
        by.h("table", { class: "sheet" }, by.h("caption", { class: "hidden" }, "Rules of this task"),
          by.h("thead", {}, by.h("tr", {}, ["rule", "kind", "clause", "broken in"].map((head) => by.h("th", { scope: "col", class: head === "broken in" ? "figure" : "words" }, head)))),
          by.h("tbody", {}, sorted.map((rule) => by.h("tr", {},
            by.h("th", { scope: "row" }, by.h("span", { class: "id" }, rule.id), " ", rule.says, by.written(rule)),
            by.h("td", { class: "words" }, rule.kind), by.h("td", { class: "words id" }, rule.source || ""), broke(runs, rule.id)))))));
  }

  /** A rule as its author wrote it, folded away. */
  by.written = (rule) => by.h("details", { class: "written" }, by.h("summary", {}, "as written"),
    by.h("dl", { class: "fields" }, rule.written.map(([name, text]) => [by.h("dt", {}, name), by.h("dd", {}, by.h("code", {}, text))])));

  function itemsTable(items, runs) {
    if (!items.length) return null;
    return by.h("section", { class: "board" }, by.h("h2", {}, "Rubric"),
      by.h("p", { class: "says" }, "The score is the satisfied share of all weight; 90 or more is a success."),
      by.h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Rubric, table" },
        by.h("table", { class: "sheet" }, by.h("caption", { class: "hidden" }, "Items of this task's rubric"),
          by.h("thead", {}, by.h("tr", {}, ["item", "level", "weight", "dimension", "decided by", "failed in"].map((head) =>
            by.h("th", { scope: "col", class: ["weight", "failed in"].includes(head) ? "figure" : "words" }, head)))),
          by.h("tbody", {}, items.map((item) => by.h("tr", {},
            by.h("th", { scope: "row" }, by.h("span", { class: "id" }, item.id), " ", item.says),
            by.h("td", { class: "words" }, item.level), by.h("td", { class: "figure" }, item.weight),
            by.h("td", { class: "words" }, item.dimension), by.h("td", { class: "words" }, item.decided_by || ""), broke(runs, item.id)))))));
  }

  function procedures(chunk) {
    const found = chunk.folder.procedures || [];
    if (!found.length) return null;
    return by.h("section", {}, by.h("h2", {}, "Procedures"), found.map((one) => by.h("details", { class: "procedure" },
      by.h("summary", {}, one.title),
      by.h("ol", {}, one.steps.map((step) => by.h("li", {}, by.h("span", { class: "id" }, step.id), " ", step.do,
        step.decide ? by.h("p", { class: "note" }, "Decide: ", step.decide) : null))))));
  }

  function faults(chunk) {
    const found = chunk.folder.faults || [];
    if (!found.length) return null;
    return by.h("section", {}, by.h("h2", {}, "Known faults"),
      by.h("p", { class: "says" }, "Files made wrong on purpose, in one way each, and the items that such a file fails. They prove that the rubric can tell."),
      by.h("details", {}, by.h("summary", {}, by.plural(found.length, "fault")),
        by.h("dl", { class: "fields" }, found.map((one) => [
          by.h("dt", {}, one.says), by.h("dd", { class: "id" }, (one.fails || []).join(" "))]))));
  }
})(window.bythebook);
