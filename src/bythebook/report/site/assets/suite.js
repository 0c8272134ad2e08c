// A suite's page: its figures and tables, in the order of the papers; and single tables.
"use strict";
(function (by) {
  /** A drawing with its caption, and its numbers as a table for who cannot see it. */
  by.figure = (figure, level = 2) => by.h("section", { class: "drawing", "aria-label": figure.title },
    by.h("h" + level, {}, figure.title, figure.source ? by.h("span", { class: "source" }, "like " + figure.source) : null),
    by.h("figure", {},
      by.h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": figure.title + ", drawing" },
        by.drawing(figure.svg, figure.title + ". " + figure.says)),
      by.h("figcaption", {}, figure.says)),
    by.h("p", { class: "onward" }, by.link(["table", figure.table], {}, "The same as numbers")));

  by.page.suite = (name) => {
    const site = by.site;
    const suite = site.suites.find((one) => one.name === name);
    if (!suite) return by.page.missing();
    const tables = site.tables.filter((one) => one.suite === name);
    const figures = site.figures.filter((one) => one.suite === name);
    const long = tables.filter((one) => one.id in site.long_tables);
    const filled = tables.filter((one) => one.rows.length);
    const empty = tables.filter((one) => !one.rows.length && !long.includes(one));
    const shared = common(filled);
    const own = (table) => ({ ...table, notes: (table.notes || []).filter((note) => !shared.includes(note)) });
    return by.h("article", {},
      by.h("h1", {}, by.suiteTitle(name)),
      by.h("nav", { class: "contents", "aria-label": "Tables of this suite" },
        by.h("ul", {}, [...filled, ...long].map((one) => by.h("li", {}, by.link(["table", one.id], {}, one.title),
          long.includes(one) ? by.h("span", { class: "note" }, " " + by.plural(site.long_tables[one.id][1], "row")) : null)))),
      shared.length ? by.h("section", { class: "shared" }, by.h("h2", {}, "For all that follows"), by.notes(shared)) : null,
      filled.map((table) => [figures.filter((one) => one.table === table.id).map((one) => by.figure(one)), by.table(own(table))]),
      empty.length ? by.h("section", { class: "board" }, by.h("h2", {}, "Tables without anything to show"),
        by.h("ul", { class: "notes" }, empty.map((one) => by.h("li", {}, one.title, ": ", (one.notes || [""])[0])))) : null);
  };

  /** Notes that stand under most tables are told once. */
  function common(tables) {
    const counts = new Map();
    for (const table of tables) for (const note of table.notes || []) counts.set(note, (counts.get(note) || 0) + 1);
    return [...counts].filter(([, count]) => count > 2).map(([note]) => note);
  }

  by.page.table = async (id) => {
    const site = by.site;
    const told = site.tables.find((one) => one.id === id);
    if (!told) return by.page.missing();
    const table = id in site.long_tables ? { ...told, rows: await by.need("table/" + site.long_tables[id][0]) } : told;
    return by.h("article", {},
      by.h("p", { class: "crumb" }, by.link([table.suite], {}, by.suiteTitle(table.suite))),
      by.table(table, 1),
      site.figures.filter((one) => one.table === id).map((one) => by.figure(one)));
  };

  by.page.missing = () => by.h("article", {}, by.h("h1", {}, "There is no such page"),
    by.h("p", {}, "The address names something that this report does not hold. ", by.link([], {}, "Go to the overview")));
})(window.bythebook);
