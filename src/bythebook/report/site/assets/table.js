// One neutral table: sorted by its headings, filtered by words, intervals drawn under the numbers.
"use strict";
(function (by) {
  const FIRST = 200;
  const TOLD = { best: "best", second: "second", tied: "tied for best" };

  const has = (value) => value !== null && value !== undefined;
  const cellOf = (row, key) => row.cells[key] || {};

  function sortable(cell) {
    if (has(cell.value)) return cell.value;
    if (has(cell.least)) return (cell.least + cell.most) / 2;
    return null;
  }

  function compared(a, b, down) {
    const [x, y] = [sortable(a), sortable(b)];
    if (x === null || y === null) return (x === null) - (y === null);
    const order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y), "en", { numeric: true });
    return down ? -order : order;
  }

  /** The scale that the intervals of one column are drawn on; null: none are. */
  function scaleOf(column, rows) {
    const cells = rows.map((row) => cellOf(row, column.key)).filter((cell) => has(cell.low) || has(cell.least));
    if (!cells.length) return null;
    if (column.unit === "percent") return [0, 100];
    const all = cells.flatMap((cell) => [cell.low, cell.high, cell.value, cell.least, cell.most]).filter(has);
    const inside = column.unit === "points" && Math.min(...all) >= 0;
    return inside ? [0, 100] : [Math.min(0, ...all), Math.max(...all)];
  }

  function shown(column, cell) {
    if (has(cell.value)) return by.inUnit(cell.value, column.unit);
    if (has(cell.least)) return by.inUnit(cell.least, column.unit) + " \u2013 " + by.inUnit(cell.most, column.unit);
    return "";
  }

  function figure(column, cell, scale, where) {
    const text = shown(column, cell);
    const bounds = has(cell.low) && has(cell.high)
      ? by.h("span", { class: "bounds" }, by.inUnit(cell.low, column.unit) + " to " + by.inUnit(cell.high, column.unit))
      : null;
    const mark = cell.mark ? by.h("span", { class: "rank " + cell.mark }, TOLD[cell.mark]) : null;
    return by.h("td", { class: "figure", title: cell.note || null },
      where ? by.h("a", { href: where }, text) : by.h("span", { class: "value" }, text),
      bounds, scale && (has(cell.low) || has(cell.least)) ? by.strip(cell, ...scale) : null, mark,
      cell.note ? by.hidden(" (" + cell.note + ")") : null);
  }

  function words(column, cell, place, where) {
    const text = shown(column, cell);
    const inner = where ? by.h("a", { href: where }, text) : text;
    const note = cell.note ? by.hidden(" (" + cell.note + ")") : null;
    return place === 0
      ? by.h("th", { scope: "row", title: cell.note || null }, inner, note)
      : by.h("td", { class: "words", title: cell.note || null }, inner, note);
  }

  /** Where a cell leads: rows that name a task, a run, an event or an evaluation. */
  function target(table, column, row) {
    const named = (key) => (has(cellOf(row, key).value) && cellOf(row, key).value !== "" ? cellOf(row, key).value : null);
    const site = by.site;
    const task = named("task");
    if (!task || named(column.key) === null || !["task", "run", "event", "rule"].includes(column.key)) return null;
    const place = site.tasks.findIndex((one) => one.id === task && one.suite === table.suite);
    if (place < 0) return null;
    if (column.key === "task") return by.to(["task", table.suite, task]);
    const of = site.evaluations.findIndex((one) => one.label === named("evaluation"));
    const run = site.runs.find((one) => one.task === place && one.n === named("run") && one.of === of);
    if (!run || run.replay === null) return null;
    const [parts, options] = by.runLink(run, column.key === "event" || column.key === "rule" ? named("event") : null);
    if (column.key === "rule" && table.suite === "deliverables") return by.to([...by.runLink(run)[0], "item", named("rule")], options);
    return by.to(parts, options);
  }

  /** The whole table with its caption, controls and notes. `level`: of its heading. */
  by.table = (table, level = 2) => {
    const state = { key: "", down: false, words: "", all: false };
    const scales = Object.fromEntries(table.columns.map((column) => [column.key, scaleOf(column, table.rows)]));
    const body = by.h("tbody", {});
    const count = by.h("p", { class: "count", role: "status" });
    const heads = table.columns.map((column) => heading(column));

    function heading(column) {
      const unit = by.UNITS[column.unit] ? ", " + by.UNITS[column.unit] : "";
      const button = by.h("button", { type: "button", class: "sort", title: column.says || null, onclick: () => turn(column) },
        column.title, unit ? by.h("span", { class: "unit" }, unit) : null, by.h("span", { class: "arrow", "aria-hidden": "true" }));
      const numeric = column.unit && column.unit !== "text";
      return by.h("th", { scope: "col", class: numeric ? "figure" : "words" }, button);
    }

    function turn(column) {
      const numeric = column.unit && column.unit !== "text";
      const first = numeric ? column.better !== "low" : false;
      if (state.key !== column.key) [state.key, state.down] = [column.key, first];
      else if (state.down === first) state.down = !first;
      else state.key = "";
      draw();
    }

    function matching() {
      const wanted = state.words.toLowerCase().split(/\s+/).filter(Boolean);
      const rows = table.rows.filter((row) => {
        const text = table.columns.map((column) => shown(column, cellOf(row, column.key))).join(" ").toLowerCase();
        return wanted.every((word) => text.includes(word));
      });
      if (state.key) rows.sort((a, b) => compared(cellOf(a, state.key), cellOf(b, state.key), state.down));
      return rows;
    }

    function draw() {
      const rows = matching();
      const kept = state.all ? rows : rows.slice(0, FIRST);
      by.replace(body, kept.map((row) => by.h("tr", { class: row.published ? "published" : null },
        table.columns.map((column, place) => {
          const numeric = column.unit && column.unit !== "text";
          const make = numeric ? figure(column, cellOf(row, column.key), scales[column.key], target(table, column, row))
            : words(column, cellOf(row, column.key), place, target(table, column, row));
          if (place === 0 && row.published) make.append(by.h("span", { class: "paper" }, "paper"));
          return make;
        }))));
      heads.forEach((head, place) => {
        const sorted = table.columns[place].key === state.key;
        if (sorted) head.setAttribute("aria-sort", state.down ? "descending" : "ascending");
        else head.removeAttribute("aria-sort");
      });
      const more = rows.length - kept.length;
      by.replace(count, rows.length === table.rows.length && !more ? by.plural(rows.length, "row") : by.number(kept.length) + " of " + by.plural(table.rows.length, "row"),
        more ? [" ", by.h("button", { type: "button", class: "quiet", onclick: () => { state.all = true; draw(); } }, "show all")] : null);
    }

    const filter = table.rows.length > 6 ? by.h("label", { class: "filter" }, "Filter rows ",
      by.h("input", { type: "search", autocomplete: "off", spellcheck: "false", oninput: (event) => { state.words = event.target.value; draw(); } })) : null;

    const section = by.h("section", { class: "board", "aria-label": table.title },
      by.h("h" + level, { id: "table-" + table.id }, table.title,
        table.source ? by.h("span", { class: "source" }, "like " + table.source) : null),
      by.h("p", { class: "says" }, table.says));
    if (table.rows.length) {
      draw();
      section.append(
        by.h("div", { class: "controls" }, filter, count),
        by.h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": table.title + ", table" },
          by.h("table", { class: "sheet numbers" }, by.h("caption", { class: "hidden" }, table.title + ". " + table.says),
            by.h("thead", {}, by.h("tr", {}, heads)), body)));
    }
    section.append(by.notes(table.notes || []), meanings(table));
    return section;
  };

  by.notes = (notes) => {
    if (!notes.length) return by.h("span", { hidden: true });
    return by.h("ul", { class: "notes" }, notes.map((note) => by.h("li", {}, note)));
  };

  function meanings(table) {
    const told = table.columns.filter((column) => column.says);
    if (!told.length || !table.rows.length) return by.h("span", { hidden: true });
    return by.h("details", { class: "meanings" }, by.h("summary", {}, "What the columns mean"),
      by.h("dl", { class: "fields" }, told.map((column) => [by.h("dt", {}, column.title), by.h("dd", {}, column.says)])));
  }
})(window.bythebook);
