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
    figure.table && figure.table.id
      ? by.h("p", { class: "onward" }, by.link(["table", figure.table.id], {}, "The same as numbers")) : null);

  by.page.suite = (name) => {
    const site = by.site;
    const suite = site.suites.find((one) => one.name === name);
    if (!suite) return by.page.missing();
    const tables = site.tables.filter((one) => one.suite === name);
    const figures = site.figures.filter((one) => one.table.suite === name);
    const filled = tables.filter((one) => one.rows.length);
    const empty = tables.filter((one) => !one.rows.length);
    return by.h("article", {},
      by.h("h1", {}, by.suiteTitle(name)),
      by.h("nav", { class: "contents", "aria-label": "Tables of this suite" },
        by.h("ul", {}, filled.map((one) => by.h("li", {}, by.link(["table", one.id], {}, one.title))))),
      figures.map((one) => by.figure(one)),
      filled.map((one) => by.table(one)),
      empty.length ? by.h("section", { class: "board" }, by.h("h2", {}, "Tables without anything to show"),
        by.h("ul", { class: "notes" }, empty.map((one) => by.h("li", {}, one.title, ": ", (one.notes || [""])[0])))) : null);
  };

  by.page.table = (id) => {
    const site = by.site;
    const table = site.tables.find((one) => one.id === id);
    if (!table) return by.page.missing();
    return by.h("article", {},
      by.h("p", { class: "crumb" }, by.link([table.suite], {}, by.suiteTitle(table.suite))),
      by.table(table, 1),
      site.figures.filter((one) => one.table.id === id).map((one) => by.figure(one)));
  };

  by.page.missing = () => by.h("article", {}, by.h("h1", {}, "There is no such page"),
    by.h("p", {}, "The address names something that this report does not hold. ", by.link([], {}, "Go to the overview")));
})(window.bythebook);
