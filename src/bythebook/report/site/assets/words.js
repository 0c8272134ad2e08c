// Values in words: numbers, verdicts, clocks, and values of any shape.
"use strict";
(function (by) {
  const grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
  const one = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const two = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const MINUS = "\u2212";

  const signed = (text) => text.replace(/^-/, MINUS);
  by.number = (value) => signed(grouped.format(value));

  /** A cell's number in the unit of its column. */
  by.inUnit = (value, unit) => {
    if (value === null || value === undefined) return "";
    if (typeof value !== "number") return String(value);
    if (unit === "percent" || unit === "points" || unit === "minutes") return signed(one.format(value));
    if (unit === "ratio" || unit === "usd") return signed(two.format(value));
    if (unit === "count" || unit === "tokens")
      return Number.isInteger(value) ? by.number(value) : signed(one.format(value));
    return by.number(value);
  };
  by.UNITS = { percent: "%", points: "points", minutes: "min", usd: "USD", tokens: "tokens" };

  // What held, broke or could not be decided: always with a sign and a word, never by colour alone.
  const MARKS = {
    held: { sign: "\u2713", word: "held" },
    broken: { sign: "\u2715", word: "broken" },
    void: { sign: "\u2205", word: "void" },
    vacuous: { sign: "\u2013", word: "held, never asked" },
  };
  by.markOf = (value) => (value === true ? "held" : value === false ? "broken" : "void");
  by.verdictOf = (found) =>
    found.verdict === "fail" ? "broken" : found.verdict === "void" ? "void" : found.vacuous ? "vacuous" : "held";

  /** A verdict as a small sign with its word. `words`: other words than held and broken. */
  by.mark = (kind, label, words) => {
    const { sign, word } = MARKS[kind];
    const told = (words && words[kind]) || word;
    return by.h(
      "span", { class: "mark " + kind },
      by.h("span", { "aria-hidden": "true", class: "sign" }, sign),
      label ? [label, by.hidden(" " + told)] : told,
    );
  };
  by.DONE = { held: "satisfied", broken: "failed", void: "undecided" };
  by.SUCCESS = { held: "success", broken: "no success", void: "open" };

  by.plural = (count, thing) => by.number(count) + " " + thing + (count === 1 ? "" : "s");

  // --- the story's clock -----------------------------------------------------------------------

  by.clockAt = (edition, t) => {
    const minutes = edition.clock + t;
    const days = Math.floor(minutes / 1440);
    const of = minutes - days * 1440;
    const pad = (n) => String(n).padStart(2, "0");
    return { clock: pad(Math.floor(of / 60)) + ":" + pad(of % 60), day: dayAfter(edition.day, days) };
  };

  function dayAfter(day, days) {
    const [year, month, date] = day.split("-").map(Number);
    return new Date(Date.UTC(year, month - 1, date + days)).toISOString().slice(0, 10);
  }

  /** Paragraphs, and the lines of lists and tables; other line ends are only how the text was typed. */
  by.paragraphs = (text) => text.split(/\n{2,}|\n(?=\s*(?:[-*|#>]|\d+[.)])\s?)/).filter((part) => part.trim());

  // --- values of any shape ---------------------------------------------------------------------

  /** One line. */
  by.brief = (value, most) => {
    const text = typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);
    const flat = text.replace(/\s+/g, " ").trim();
    return flat.length > most ? flat.slice(0, most - 1) + "\u2026" : flat;
  };

  const isRecord = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

  /** A value laid out: records as lists of names, rows of records as a table, text as it stands. */
  by.value = (value, depth = 0) => {
    if (value === null || value === undefined) return by.h("span", { class: "nothing" }, "none");
    if (typeof value === "number") return by.h("span", { class: "figure" }, by.number(value));
    if (typeof value === "boolean") return by.h("span", { class: "figure" }, value ? "true" : "false");
    if (typeof value === "string")
      return value.includes("\n") ? by.h("pre", { class: "text" }, value) : by.h("span", { class: "literal" }, value);
    if (depth > 4) return by.h("span", { class: "literal" }, by.brief(value, 300));
    if (Array.isArray(value)) return listed(value, depth);
    const names = Object.keys(value);
    if (!names.length) return by.h("span", { class: "nothing" }, "nothing");
    return by.h("dl", { class: "fields" }, names.map((name) => [
      by.h("dt", {}, name), by.h("dd", {}, by.value(value[name], depth + 1)),
    ]));
  };

  function listed(values, depth) {
    if (!values.length) return by.h("span", { class: "nothing" }, "nothing");
    if (values.every(isRecord)) return rows(values, depth);
    if (values.every((value) => typeof value !== "object" || value === null))
      return by.h("span", { class: "literal" }, values.map((v) => (v === null ? "none" : String(v))).join(", "));
    return by.h("ol", { class: "values" }, values.map((value) => by.h("li", {}, by.value(value, depth + 1))));
  }

  function rows(values, depth) {
    const names = [...new Set(values.flatMap((value) => Object.keys(value)))];
    const cell = (value) => by.h("td", {}, value === undefined ? "" : by.value(value, depth + 1));
    return by.h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "rows" },
      by.h("table", { class: "rows" }, by.h("caption", { class: "hidden" }, "rows"),
        by.h("thead", {}, by.h("tr", {}, names.map((name) => by.h("th", { scope: "col" }, name)))),
        by.h("tbody", {}, values.map((value) => by.h("tr", {}, names.map((name) => cell(value[name])))))));
  }
})(window.bythebook);
