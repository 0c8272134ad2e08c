// Elements. Text only ever becomes a text node: what agents wrote is hostile.
"use strict";
(function (by) {
  const SVG = "http://www.w3.org/2000/svg";

  function dress(element, attributes) {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value === true ? "" : String(value));
    }
    return element;
  }

  function fill(element, children) {
    for (const child of children.flat(Infinity)) {
      if (child === null || child === undefined || child === false || child === "") continue;
      element.append(child instanceof Node ? child : document.createTextNode(String(child)));
    }
    return element;
  }

  /** h("p", {class: "note"}, "text", node, [nodes]) */
  by.h = (name, attributes, ...children) =>
    fill(dress(document.createElement(name), attributes), children);

  /** The same for drawings. */
  by.s = (name, attributes, ...children) =>
    fill(dress(document.createElementNS(SVG, name), attributes), children);

  const DRAWN = new Set([
    "svg", "g", "path", "rect", "circle", "line", "polyline", "polygon", "text", "tspan", "title",
    "desc",
  ]);
  const WORN = new Set([
    "viewBox", "width", "height", "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "rx", "d",
    "points", "class", "transform", "text-anchor", "dominant-baseline", "role", "dx", "dy",
    "preserveAspectRatio",
  ]);

  function copied(node) {
    if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE || !DRAWN.has(node.localName)) return null;
    const made = document.createElementNS(SVG, node.localName);
    for (const { name, value } of node.attributes) if (WORN.has(name)) made.setAttribute(name, value);
    return fill(made, [...node.childNodes].map(copied));
  }

  /** A drawing that stands in the data as text, of known elements and attributes only. */
  by.drawing = (text, label) => {
    const read = new DOMParser().parseFromString(text, "image/svg+xml");
    const made = copied(read.documentElement);
    if (!made || made.localName !== "svg") return by.h("p", { class: "note" }, "This drawing does not read.");
    made.setAttribute("role", "img");
    made.setAttribute("aria-label", label);
    return made;
  };

  /** Take everything out of an element and put this in. */
  by.replace = (element, ...children) => {
    element.replaceChildren();
    return fill(element, children);
  };

  by.hidden = (text) => by.h("span", { class: "hidden" }, text);
})(window.bythebook);
