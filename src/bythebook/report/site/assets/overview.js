// The first page: what was measured, who is ahead, who keeps the rules, and where rules broke.
"use strict";
(function (by) {
  const TITLES = { conduct: "Conduct: how the work was done", deliverables: "Deliverables: what was handed over" };
  const LEAD = { conduct: "conduct", deliverables: "deliverables" };
  const MOST_BROKEN = 8;
  /** Columns of the boards that are left to the suite's own page. */
  const LATER = ["exercised", "goal_without_strict", "strict_of_attempts", "by_checks", "void_weight"];

  by.suiteTitle = (suite) => TITLES[suite] || suite;

  by.page.overview = () => {
    const site = by.site;
    return by.h("article", { class: "overview" },
      by.h("h1", {}, site.title === "bythebook" ? "What was measured" : site.title),
      by.h("p", { class: "lead" }, lead(site)),
      site.suites.map((suite) => suitePart(site, suite)),
      problems(site));
  };

  function lead(site) {
    const runs = site.runs.length;
    const kept = site.runs.filter((run) => run.replay !== null).length;
    return [
      by.plural(site.evaluations.length, "evaluation"), ", ", by.plural(runs, "run"), "; ",
      kept === runs ? "all" : by.number(kept), " of them can be replayed here, event by event. ",
      "Everything on these pages was computed from run folders; nothing was judged by hand unless it says so.",
    ];
  }

  function suitePart(site, suite) {
    const board = site.tables.find((table) => table.id === LEAD[suite.name]);
    const figure = site.figures.find((one) => one.id === suite.name + "-board");
    const size = by.plural(suite.played, "task") + " played. bythebook holds " + suite.here + " of the " + suite.paper +
      " tasks that " + suite.paper_name + " has: figures compare agents on these tasks, they are not the paper\u2019s.";
    return by.h("section", { class: "suite" },
      by.h("h2", {}, by.suiteTitle(suite.name)),
      by.h("p", { class: "says" }, size),
      figure ? by.figure(figure, 3) : null,
      board ? by.table({ ...board, notes: [], columns: board.columns.filter((one) => !LATER.includes(one.key)) }, 3) : null,
      suite.name === "conduct" ? by.h("p", { class: "note" }, "Intermediate failure is the share of runs in which a process or protection rule broke on the way, whatever the end looked like: the lower, the safer. An agent that does nothing breaks nothing, so read it beside the goal.") : null,
      by.h("p", { class: "onward" },
        by.link([suite.name], {}, "All tables and figures of this suite"), " ",
        by.link(["tasks", suite.name], {}, "Every task and run")),
      suite.name === "conduct" ? brokenRules(site) : failedItems(site));
  }

  // --- where rules broke -----------------------------------------------------------------------

  function counted(site, suite) {
    const found = new Map();
    for (const run of site.runs) {
      if (site.evaluations[run.of].suite !== suite) continue;
      for (const [rule, at] of run.broken) {
        const key = run.task + "/" + rule;
        if (!found.has(key)) found.set(key, { task: run.task, rule, runs: [] });
        found.get(key).runs.push({ run, at });
      }
    }
    return [...found.values()].sort((a, b) => b.runs.length - a.runs.length);
  }

  function example(runs) {
    return runs.find(({ run }) => run.replay !== null);
  }

  /** Who broke it: two or three by name, the others counted. */
  function who(site, runs) {
    const labels = [...new Set(runs.map(({ run }) => site.evaluations[run.of].label))];
    return labels.length > 3 ? labels.slice(0, 3).join(", ") + " and " + (labels.length - 3) + " more" : labels.join(", ");
  }

  function row(site, one) {
    const task = site.tasks[one.task];
    const told = (task.rules || {})[one.rule];
    const shown = example(one.runs);
    return by.h("li", {},
      by.h("span", { class: "count" }, by.number(one.runs.length), by.hidden(one.runs.length === 1 ? " run" : " runs")),
      by.h("div", {}, by.h("span", { class: "id" }, one.rule), " ", told ? told.says : "",
        by.h("p", { class: "note" }, by.link(["task", task.suite, task.id], {}, task.title), " \u00b7 ", who(site, one.runs),
          shown ? [" \u00b7 ", seen(shown)] : null)));
  }

  function seen({ run, at }) {
    const [parts, options] = by.runLink(run, at);
    return by.link(parts, options, at === null ? "see a run" : "see event " + at);
  }

  function listed(site, ranked, title, says) {
    const found = ranked.slice(0, MOST_BROKEN);
    if (!found.length) return null;
    return by.h("section", { class: "board" }, by.h("h3", {}, title), by.h("p", { class: "says" }, says),
      by.h("ol", { class: "ranked" }, found.map((one) => row(site, one))));
  }

  /** A goal that was missed harms nobody, and agents that do nothing miss all: it stands apart from what was broken. */
  function brokenRules(site) {
    const found = counted(site, "conduct");
    const isGoal = (one) => ((site.tasks[one.task].rules || {})[one.rule] || {}).kind === "goal";
    return [
      listed(site, found.filter((one) => !isGoal(one)), "Where rules broke", "The process and protection rules broken in most runs (the number of runs stands before each), with a run that shows it."),
      listed(site, found.filter(isGoal), "Goals not reached", "What the customer asked for and most runs did not bring about (the number of runs stands before each), with a run that shows it."),
    ];
  }

  function failedItems(site) {
    return listed(site, counted(site, "deliverables"), "What was missing", "The rubric items failed in most runs (the number of runs stands before each), with a run that shows it.");
  }

  function problems(site) {
    const told = [...site.notes, ...site.evaluations.flatMap((one) => (one.problems || []).map((text) => one.label + ": " + text))];
    if (!told.length) return null;
    return by.h("section", { class: "problems" }, by.h("h2", {}, "What is missing here"),
      by.h("p", { class: "says" }, "Runs that do not read, are not judged, or could not be told."), by.notes(told));
  }
})(window.bythebook);
