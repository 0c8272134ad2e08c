// Puts pages on the screen as the address says.
"use strict";
(function (by) {
  const main = document.getElementById("main");
  let leavers = [];
  let afterwards = [];
  let turn = 0;

  /** Called when the page that is being made is left. */
  by.leaving = (act) => leavers.push(act);
  /** Called once the page that is being made stands in the document. */
  by.once = (act) => afterwards.push(act);

  const PAGES = [
    ["Overview", [], (parts) => !parts.length],
    ["Conduct", ["conduct"], (parts) => parts[0] === "conduct"],
    ["Deliverables", ["deliverables"], (parts) => parts[0] === "deliverables"],
    ["Tasks and runs", ["tasks"], (parts) => ["tasks", "task", "run", "compare"].includes(parts[0])],
    ["Judges", ["judge"], (parts) => parts[0] === "judge"],
  ];

  function navigation(parts) {
    const suites = by.site.suites.map((one) => one.name);
    const there = PAGES.filter(([, [name]]) => !["conduct", "deliverables"].includes(name) || suites.includes(name))
      .filter(([, [name]]) => name !== "judge" || suites.includes("deliverables"));
    by.replace(document.getElementById("nav"), by.h("ul", {}, there.map(([text, to, is]) =>
      by.h("li", {}, by.h("a", { href: by.to(to), "aria-current": is(parts) ? "page" : null }, text)))));
  }

  async function page({ parts, options }) {
    switch (parts[0]) {
      case undefined: return by.page.overview();
      case "conduct": case "deliverables": return by.page.suite(parts[0]);
      case "table": return by.page.table(parts[1]);
      case "tasks": return by.page.tasks(parts[1]);
      case "task": return by.page.task(parts[1], parts[2]);
      case "run": return run(parts, options);
      case "compare": return by.page.compare(parts[1], parts[2], options);
      case "judge": return by.page.judge();
      default: return by.page.missing();
    }
  }

  /** #/run/TASK/N/event/17 or .../item/R09, with ?of=EVALUATION where several hold that run. */
  async function run([, task, n, part, at], { of }) {
    const site = by.site;
    const found = site.runs.filter((one) => site.tasks[one.task].id === task && String(one.n) === n);
    const chosen = found.find((one) => site.evaluations[one.of].slug === of) || found.find((one) => one.replay !== null) || found[0];
    if (!chosen) return by.page.missing();
    if (chosen.replay === null) return notKept(chosen);
    const told = site.tasks[chosen.task];
    const own = turn;
    const [common, chunk] = await Promise.all([by.need("task/" + told.chunk), by.need("run/" + chosen.replay)]);
    // Somebody went on before the data were there: what is made now would listen for ever.
    if (own !== turn) return by.h("article", {});
    const start = part === "event" && /^\d+$/.test(at || "") ? Number(at) : null;
    if (told.suite === "conduct") return by.conductReplay(chosen, common, chunk, start);
    return by.handedReplay(chosen, common, chunk, { event: start, item: part === "item" ? at : null });
  }

  function notKept(run) {
    const task = by.site.tasks[run.task];
    return by.h("article", {}, by.h("h1", {}, "This run is not kept whole here"),
      by.h("p", {}, "The site was built with replays of ", by.site.replay === "none" ? "no run" : "one run of each task, evaluation and outcome",
        ". Build it with --replay all, or read the run with ", by.h("code", {}, "bythebook show"), "."),
      by.h("p", {}, by.link(["task", task.suite, task.id], {}, "The task and its other runs")));
  }

  async function show(first) {
    const own = (turn += 1);
    const hash = window.location.hash || "#/";
    const address = by.read(hash);
    leavers.forEach((act) => act());
    [leavers, afterwards] = [[], []];
    let made;
    try {
      made = await page(address);
    } catch (error) {
      made = by.h("article", {}, by.h("h1", {}, "This page cannot be shown"), by.h("p", { class: "problems" }, error.message));
      window.setTimeout(() => { throw error; });
    }
    if (own !== turn) return;
    by.replace(main, made);
    navigation(address.parts);
    const title = made.querySelector("h1");
    document.title = (title ? title.textContent + " \u2013 " : "") + "bythebook";
    afterwards.forEach((act) => act());
    if (!first) {
      window.scrollTo(0, 0);
      main.focus({ preventScroll: true });
    }
    document.documentElement.dataset.shown = hash;
  }

  function themeButton() {
    const button = document.getElementById("theme");
    const label = () => { button.textContent = "Theme: " + window.bythebookTheme.choice; };
    button.addEventListener("click", () => { window.bythebookTheme.turn(); label(); });
    label();
  }

  function begin(site) {
    by.site = by.opened(site);
    document.getElementById("foot").textContent = "bythebook " + site.version + ". This folder holds all that is shown; nothing is loaded from elsewhere.";
    document.getElementById("skip").addEventListener("click", (event) => { event.preventDefault(); main.focus(); });
    themeButton();
    window.addEventListener("hashchange", () => show(false));
    show(true);
  }

  document.addEventListener("DOMContentLoaded", () => by.need("site").then(begin, (error) => by.replace(main, by.h("p", { class: "problems" }, error.message))));
})(window.bythebook);
