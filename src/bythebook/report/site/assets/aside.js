// Beside the story: what is watched now, approvals, the procedure, documents, rules.
"use strict";
(function (by) {
  function panel(title, open, body) {
    return by.h("details", { class: "panel", open }, by.h("summary", {}, by.h("h3", {}, title)), body);
  }

  const family = (clause) => clause.split("#")[0];
  const familyOf = (paper) => paper.family || paper.id.replace(/-v\d+$/, "");

  /** Everything that follows the player; `show(i)` redraws it. */
  by.aside = (data, go) => {
    const parts = [watched(data), approvals(data, go), procedure(data, go), documents(data, go), rules(data, go)].filter(Boolean);
    return { element: by.h("aside", { class: "aside", "aria-label": "At this event" }, parts.map((one) => one.element)), show: (i) => parts.forEach((one) => one.show(i)) };
  };

  const eventLink = (i, go, text) => by.h("button", { type: "button", class: "link", onclick: () => go(i) }, text === undefined ? "event " + i : text);

  // --- watched ---------------------------------------------------------------------------------

  function watched(data) {
    if (!data.lines.length) return null;
    const body = by.h("tbody", {});
    const table = by.h("table", { class: "rows watch" }, by.h("caption", { class: "hidden" }, "What the rules watch, after this event"),
      by.h("thead", {}, by.h("tr", {}, ["rule", "what", "now", "wanted"].map((head) => by.h("th", { scope: "col" }, head)))), body);
    return {
      element: panel("Watched", true, [by.h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Watched" }, table), by.h("p", { class: "note" }, "Amounts are whole numbers of the smallest unit, such as cents.")]),
      show(i) {
        by.replace(body, data.lines.map((line) => {
          const point = by.pointAt(line, i);
          const { left, right } = by.sidesAt(line, point);
          const rule = data.rules.get(line.rule);
          const holds = by.holds(line, point);
          const state = holds === true ? "held" : rule && rule.kind === "goal" ? "waits" : holds === false ? "broken" : "void";
          return by.h("tr", { title: line.says }, by.h("td", { class: "id" }, line.rule), by.h("td", {}, by.nameOf(line)),
            by.h("td", { class: "figure " + state }, left, state === "broken" ? by.hidden(" (broken)") : null), by.h("td", { class: "figure" }, line.sign + " " + right));
        }));
      },
    };
  }

  // --- approvals -------------------------------------------------------------------------------

  function standing(one, i, t, uses) {
    if (i < one.asked) return "";
    if (one.decided === undefined || i < one.decided) return "asked";
    if (one.what === "amendment") return one.status;
    if (!one.approval) return one.status;
    if (one.revoked !== undefined && one.revoked <= t) return "revoked";
    if (t >= one.expires) return "expired";
    return uses.some((use) => use <= i) ? "relied on" : "approved";
  }

  function approvals(data, go) {
    if (!data.consents.length) return null;
    const body = by.h("div", {});
    return {
      element: panel("Approvals", true, body),
      show(i) {
        const t = data.at.get(i).t;
        const found = data.consents.filter((one) => one.asked <= i);
        by.replace(body, found.length ? found.map((one) => card(one, i, t)) : by.h("p", { class: "note" }, "Nothing was asked yet."));
      },
    };

    function card(one, i, t) {
      const uses = data.uses.get(one.approval) || [];
      const now = standing(one, i, t, uses);
      const until = one.approval && one.expires !== undefined ? by.clockAt(data.edition, one.expires).clock : "";
      return by.h("div", { class: "consent " + now.replace(" ", "-") },
        by.h("h4", {}, one.subject, " ", by.h("span", { class: "tag" }, now)),
        by.h("p", { class: "note" }, one.what === "amendment" ? "a change of the instruction, " : "approval of these terms, ",
          "asked at ", eventLink(one.asked, go), one.decided !== undefined && one.decided <= i ? [", decided at ", eventLink(one.decided, go)] : null,
          until ? ", holds until " + until : null,
          uses.filter((use) => use <= i).map((use) => [", relied on at ", eventLink(use, go)])),
        one.reasons && one.reasons.length ? by.h("p", { class: "note" }, "Reasons given: " + one.reasons.join(", ")) : null,
        by.value(one.terms || {}, 1));
    }
  }

  // --- the procedure ---------------------------------------------------------------------------

  /** Events are tied to steps by the clauses they share: a document read, a rule that spoke. */
  function touches(step, data) {
    const clauses = new Set(step.knowledge);
    const families = new Set(step.knowledge.map(family));
    const found = [];
    for (const paper of data.papers) if (families.has(familyOf(paper))) paper.read.forEach((i) => found.push({ i, why: "read " + paper.id }));
    for (const moment of data.moments)
      for (const one of moment.spoke) {
        const rule = data.rules.get(one.rule);
        if (one.part !== "again" && rule && rule.source && clauses.has(rule.source)) found.push({ i: moment.i, why: "rule " + rule.id });
      }
    return found.sort((a, b) => a.i - b.i);
  }

  function procedure(data, go) {
    if (!data.procedures.length) return null;
    const body = by.h("div", {});
    const steps = data.procedures.flatMap((sop) => sop.steps.map((step) => ({ sop, step, at: touches(step, data) })));
    const guards = (step) => [...data.rules.values()].filter((rule) => rule.source && step.knowledge.includes(rule.source));
    return {
      element: panel("Procedure", true, body),
      show(i) {
        const last = (one) => one.at.filter((touch) => touch.i <= i).pop();
        const current = steps.reduce((best, one) => {
          const touch = last(one);
          return touch && (!best || touch.i >= last(best).i) ? one : best;
        }, null);
        by.replace(body, data.procedures.map((sop) => by.h("div", { class: "procedure" }, by.h("h4", {}, sop.title),
          by.h("ol", {}, steps.filter((one) => one.sop === sop).map((one) => stepRow(one, i, one === current))))),
          by.h("p", { class: "note" }, "A step is tied to an event by the clauses that both speak of: a document read, a rule that looked."));
      },
    };

    function stepRow({ step, at }, i, isCurrent) {
      const done = at.filter((touch) => touch.i <= i);
      const near = done[done.length - 1];
      return by.h("li", { class: (done.length ? "touched" : "") + (isCurrent ? " current" : ""), "aria-current": isCurrent ? "step" : null },
        by.h("b", {}, step.id), " ", step.do,
        near ? by.h("span", { class: "note" }, " ", near.why, " at ", eventLink(near.i, go)) : null,
        guards(step).map((rule) => [" ", state(rule, i)]));
    }

    function state(rule, i) {
      const found = data.found.get(rule.id);
      const broken = found && found.verdict === "fail" && found.at !== undefined && found.at <= i;
      return broken ? by.mark("broken", rule.id) : by.h("span", { class: "id", title: rule.says }, rule.id);
    }
  }

  // --- documents -------------------------------------------------------------------------------

  function documents(data, go) {
    if (!data.papers.length) return null;
    const body = by.h("tbody", {});
    const missing = by.h("p", { class: "note" });
    const table = by.h("table", { class: "rows" }, by.h("caption", { class: "hidden" }, "Documents read"),
      by.h("thead", {}, by.h("tr", {}, ["document", "holds", "read at"].map((head) => by.h("th", { scope: "col" }, head)))), body);
    return {
      element: panel("Documents read", true, [by.h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Documents" }, table), missing]),
      show(i) {
        const read = data.papers.filter((paper) => paper.read[0] <= i);
        by.replace(body, read.map((paper) => by.h("tr", { class: paper.holds === false ? "stale" : null },
          by.h("td", {}, by.h("span", { title: paper.id }, paper.title || paper.id), " ", by.h("span", { class: "id" }, paper.id),
            paper.required ? by.h("span", { class: "tag" }, "needed") : null),
          by.h("td", { class: "period" }, period(paper)),
          by.h("td", {}, paper.read.filter((at) => at <= i).map((at) => [eventLink(at, go, at), " "])))));
        const needed = data.required.filter((id) => !data.papers.some((paper) => paper.id === id && paper.read[0] <= i));
        by.replace(missing, needed.length ? "Needed and not read yet: " + needed.join(", ") : "");
      },
    };
  }

  function period(paper) {
    if (!paper.since) return "";
    const words = paper.to ? paper.since + " \u2013 " + paper.to : "from " + paper.since;
    return [words, paper.holds === false ? by.h("span", { class: "tag warn" }, paper.status === "draft" ? "draft" : "not in force") : null];
  }

  // --- rules -----------------------------------------------------------------------------------

  function rules(data, go) {
    const body = by.h("div", {});
    const list = [...data.rules.values()];
    return {
      element: panel("Rules", false, body),
      show(i) {
        by.replace(body, by.h("ul", { class: "rules" }, list.map((rule) => {
          const found = data.found.get(rule.id) || { verdict: "void" };
          const known = found.verdict === "pass" || found.at === undefined || found.at <= i;
          const verdict = by.verdictOf(found);
          return by.h("li", {}, known && verdict === "broken" ? by.mark("broken", rule.id) : by.h("span", { class: "id" }, rule.id), " ", rule.says,
            verdict === "broken" && found.at !== undefined ? [" ", eventLink(found.at, go, known ? "at event " + found.at : "breaks later, at event " + found.at)] : null,
            verdict === "broken" && found.at === undefined ? by.h("span", { class: "note" }, " not so at the end") : null,
            verdict === "vacuous" ? by.h("span", { class: "note" }, " never asked in this run") : null, by.written(rule));
        })));
      },
    };
  }
})(window.bythebook);
