// What a locator leads to: the piece of a sheet or text around a place, and its page as a picture.
"use strict";
(function (by) {
  const FIGURE = /^[-+(]?[\d.,:%\s/\-()$\u20ac\u00a3]+$/;

  /** The file and the place of a locator as people read it. */
  by.placeOf = (at) => {
    const cut = at.indexOf("#");
    const plain = (text) => text.replace(/%([0-7][0-9A-Fa-f])/g, (_, code) => String.fromCharCode(parseInt(code, 16)));
    return cut < 0 ? { file: plain(at), place: "" } : { file: plain(at.slice(0, cut)), place: at.slice(cut + 1) };
  };

  function sheet(excerpt) {
    const { sheet: name, columns, rows, marked, formulas } = excerpt.table;
    const [top, left, bottom, right] = marked;
    const is = (row, column) => row >= top && row <= bottom && column >= left && column <= right;
    let last = null;
    return [
      by.h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Sheet " + name },
        by.h("table", { class: "cells" }, by.h("caption", {}, "sheet " + name),
          by.h("thead", {}, by.h("tr", {}, by.h("td", {}), columns.map((letters) => by.h("th", { scope: "col" }, letters)))),
          by.h("tbody", {}, rows.map(([number, cells]) => {
            const gap = last !== null && number !== last + 1;
            last = number;
            return by.h("tr", { class: gap ? "gap" : null }, by.h("th", { scope: "row" }, number),
              cells.map((text, column) => by.h("td", { class: [is(number, column) ? "marked" : "", FIGURE.test(text) ? "number" : ""].join(" ").trim() || null }, text, is(number, column) ? by.hidden(" (the place)") : null)));
          })))),
      Object.entries(formulas).slice(0, 4).map(([address, text]) => by.h("p", { class: "formula" }, by.h("b", {}, address), " ", by.h("code", {}, text))),
    ];
  }

  function lines(excerpt) {
    return by.h("div", { class: "lines" }, excerpt.lines.map(([text, marked]) =>
      by.h("p", { class: marked ? "marked" : null }, text, marked ? by.hidden(" (the place)") : null)));
  }

  /** Pictures of a file that show the place, by their labels. */
  function pictured(excerpt, files) {
    const file = files.find((one) => one.name === excerpt.file);
    if (!file || !(file.pictures || []).length) return [];
    const place = excerpt.place || "";
    const wanted = excerpt.table ? "sheet " + excerpt.table.sheet : (place.match(/^(page|slide)=(\d+)/) || []).slice(1, 3).join(" ");
    const found = file.pictures.filter((one) => wanted && (one.label === wanted || one.label.startsWith(wanted + ",")));
    return found.length ? found.slice(0, 1) : place && !wanted ? [] : file.pictures.slice(0, 1);
  }

  by.picture = (picture, name) => by.h("figure", { class: "page" },
    by.h("img", { src: picture.file, alt: name + ", " + picture.label, width: picture.width, height: picture.height, loading: "lazy" }),
    by.h("figcaption", {}, name + ", " + picture.label));

  /** One place, opened. */
  by.evidence = (excerpt, files) => {
    const { file, place } = by.placeOf(excerpt.at);
    const pictures = pictured(excerpt, files);
    return by.h("section", { class: "evidence", "aria-label": "Evidence at " + excerpt.at },
      by.h("h3", {}, by.h("span", { class: "file" }, file), place ? by.h("span", { class: "place" }, place) : null),
      excerpt.table ? sheet(excerpt) : null, (excerpt.lines || []).length ? lines(excerpt) : null,
      excerpt.says ? by.h("p", { class: "note" }, excerpt.says) : null,
      pictures.map((one) => by.picture(one, file)));
  };
})(window.bythebook);
