// The replay of a run of deliverables: items with their evidence, files, known faults, transcript.
"use strict";
(function (by) {
  const LEVELS = ["core", "important", "auxiliary"];
  const KEPT = { all: "all", fail: "failed", void: "undecided", pass: "satisfied" };

  by.handedData = (run, task, chunk) => {
    const rubric = task.editions[chunk.edition];
    return {
      run, rubric, chunk,
      items: rubric.items.map((item) => ({ ...item, found: chunk.findings.find((one) => one.id === item.id) || { id: item.id, verdict: "void" } })),
      moments: by.unpacked(chunk.moments, task.pool),
      excerpts: new Map(chunk.excerpts.map((one) => [one.at, { ...one, ...by.placeOf(one.at) }])),
      faults: task.folder.faults || [],
    };
  };

  by.handedReplay = (run, task, chunk, start) => {
    const data = by.handedData(run, task, chunk);
    const [parts, options] = by.runLink(run);
    const items = itemsPart(data, (id) => by.renamed([...parts, "item", id], options));
    const script = transcript(data, start.event, (i) => by.renamed([...parts, "event", i], options));
    const page = by.h("article", { class: "replay handed" },
      by.runHead(run, score(data), null),
      faultView(data, (id) => items.choose(id)),
      items.element, filesPart(data), script);
    by.once(() => items.choose(start.item || items.first, Boolean(start.item)));
    return page;
  };

  function score(data) {
    const { run, chunk } = data;
    const told = chunk.delivered;
    const items = [by.h("li", {}, by.h("span", { class: "kind" }, "score"), by.h("b", { class: "figure" }, by.score(run))),
      by.h("li", {}, by.h("span", { class: "kind" }, "success"), by.mark(by.markOf(run.success), "", { held: "yes, 90 or more", broken: "no", void: "open" }))];
    if (told) {
      items.push(by.h("li", {}, by.h("span", { class: "kind" }, "all core"), by.mark(by.markOf(told.all_core), "", { held: "yes", broken: "no", void: "open" })),
        by.h("li", {}, by.h("span", { class: "kind" }, "weight decided by"), "checks " + told.checks + ", judges " + told.judges + ", nobody " + told.void),
        by.h("li", {}, by.h("span", { class: "kind" }, "format"), told.format === "ok" ? "as wanted" : told.format.replace("_", " ") + ": " + [...(told.wrong_type || []), ...(told.omitted || [])].join(", ")));
    }
    return by.h("ul", { class: "verdicts" }, items);
  }

  // --- items -----------------------------------------------------------------------------------

  function itemsPart(data, chosen) {
    const rows = new Map();
    const pane = by.h("section", { class: "item-panel", "aria-label": "This item", tabindex: "0" });
    const voice = by.h("p", { class: "hidden", role: "status" });
    const state = { kept: "all", dimension: "" };
    const dimensions = [...new Set(data.items.map((item) => item.dimension))];
    const verdictOf = (item) => by.verdictOf(item.found);
    const groups = LEVELS.filter((level) => data.items.some((item) => item.level === level)).map((level) => {
      const own = data.items.filter((item) => item.level === level);
      const list = by.h("ol", { class: "items" }, own.map((item) => {
        const row = by.h("li", { class: "item " + verdictOf(item) }, by.h("button", { type: "button", onclick: () => choose(item.id, true) },
          by.mark(verdictOf(item), item.id, by.DONE), by.h("span", { class: "told" }, item.says, seen(item.found))));
        rows.set(item.id, { row, item });
        return row;
      }));
      const held = own.filter((item) => item.found.verdict === "pass").length;
      return by.h("section", {}, by.h("h3", {}, level, by.h("span", { class: "tag" }, "weight " + own[0].weight), by.h("span", { class: "tag" }, held + " of " + own.length)), list);
    });
    const sift = () => rows.forEach(({ row, item }) => {
      row.hidden = (state.kept !== "all" && item.found.verdict !== state.kept) || (state.dimension && item.dimension !== state.dimension);
    });
    const filters = by.h("div", { class: "filters" },
      by.h("label", {}, "Show ", by.h("select", { onchange: (event) => { state.kept = event.target.value; sift(); } },
        Object.entries(KEPT).map(([value, text]) => by.h("option", { value }, text + " (" + data.items.filter((item) => value === "all" || item.found.verdict === value).length + ")")))),
      by.h("label", {}, "of ", by.h("select", { onchange: (event) => { state.dimension = event.target.value; sift(); } },
        by.h("option", { value: "" }, "every dimension"), dimensions.map((one) => by.h("option", { value: one }, one)))));

    function choose(id, named) {
      const found = rows.get(id);
      if (!found) return;
      rows.forEach(({ row }) => { row.classList.remove("current"); row.firstChild.removeAttribute("aria-current"); });
      found.row.classList.add("current");
      found.row.firstChild.setAttribute("aria-current", "true");
      by.replace(pane, itemInFull(data, found.item));
      if (named) {
        voice.textContent = id + " " + by.DONE[verdictOf(found.item)] + ": " + found.item.says;
        chosen(id);
        const box = found.row.closest(".story-scroll");
        if (box.scrollHeight > box.clientHeight + 4) box.scrollTop = found.row.offsetTop - box.offsetTop - box.clientHeight / 3;
        else if (named && window.innerWidth < 900) pane.scrollIntoView({ block: "start" });
      }
    }

    const worst = data.items.find((item) => item.found.verdict === "fail") || data.items.find((item) => item.found.verdict === "void") || data.items[0];
    return {
      choose, first: worst ? worst.id : "",
      element: by.h("div", { class: "stage two" }, by.h("section", { class: "story-panel", "aria-label": "Items" },
        by.h("div", { class: "panel-head" }, by.h("h2", {}, "Items"), filters), by.h("div", { class: "story-scroll" }, groups)), pane, voice),
    };
  }

  function seen(found) {
    if (found.verdict === "pass") return null;
    const parts = [found.seen ? "reads " + by.brief(found.seen, 60) : "", found.wanted ? "wanted " + by.brief(found.wanted, 60) : ""].filter(Boolean);
    return parts.length ? by.h("span", { class: "changed" }, parts.join("; ")) : null;
  }

  function itemInFull(data, item) {
    const found = item.found;
    const said = data.chunk.said.filter((one) => one.item === item.id);
    const opened = [found.place, ...said.flatMap((one) => (one.cited || []).map(([at]) => at))].filter(Boolean);
    return [
      by.h("h2", {}, by.h("span", { class: "id" }, item.id), " ", by.mark(by.verdictOf(found), "", by.DONE)),
      by.h("p", {}, item.says),
      by.h("p", { class: "note" }, [item.level + ", weight " + item.weight, item.dimension, found.by ? "decided by " + found.by : "decided by nobody",
        found.count ? found.count[0] + " of " + by.plural(found.count[1], "place") + " wrong" : "",
        found.verdict === "fail" && item.failure ? "shows " + item.failure : ""].filter(Boolean).join(" \u00b7 ")),
      found.seen || found.wanted ? by.h("dl", { class: "versus" },
        found.seen ? [by.h("dt", {}, "stands there"), by.h("dd", {}, found.seen)] : null,
        found.wanted ? [by.h("dt", {}, "wanted"), by.h("dd", {}, found.wanted)] : null) : null,
      found.why && !said.some((one) => one.because === found.why) ? by.h("p", {}, found.why) : null,
      (found.notes || []).length ? by.notes(found.notes) : null,
      said.map((one) => judgement(one)),
      [...new Set(opened)].map((at) => data.excerpts.get(at)).filter(Boolean).map((one) => by.evidence(one, data.chunk.files)),
    ];
  }

  function judgement(one) {
    const verdict = one.verdict === "pass" ? "held" : one.verdict === "fail" ? "broken" : "void";
    return by.h("section", { class: "judgement" + (one.counted ? " counted" : "") },
      by.h("h3", {}, one.judge, " ", by.mark(verdict, "", by.DONE), one.mode ? by.h("span", { class: "tag" }, one.mode) : null, one.counted ? by.h("span", { class: "tag" }, "counts") : null,
        one.verified ? by.h("span", { class: "tag" }, "places looked up") : null, one.cause ? by.h("span", { class: "tag warn" }, one.cause) : null),
      one.because ? by.h("p", {}, one.because) : null,
      (one.cited || []).length ? by.h("dl", { class: "fields" }, one.cited.map(([at, reads]) => [by.h("dt", { class: "id" }, at), by.h("dd", {}, reads)])) : null);
  }

  // --- known faults ----------------------------------------------------------------------------

  /** Faults whose failed items this run failed, all of them; the closest ones first. */
  by.likeFaults = (faults, failed) => faults
    .filter((fault) => fault.fails.length && fault.fails.every((id) => failed.has(id)))
    .map((fault) => ({ ...fault, beyond: failed.size - fault.fails.length }))
    .sort((a, b) => a.beyond - b.beyond);

  function faultView(data, choose) {
    const failed = new Set(data.items.filter((item) => item.found.verdict === "fail").map((item) => item.id));
    const found = by.likeFaults(data.faults, failed);
    if (!failed.size) return null;
    const worst = data.items.filter((item) => failed.has(item.id)).sort((a, b) => b.weight - a.weight);
    return by.h("section", { class: "fault-view", "aria-label": "Faults" }, by.h("h2", {}, "What is wrong"),
      by.h("ul", { class: "broken-rules" }, worst.slice(0, 6).map((item) => by.h("li", {}, by.h("span", { class: "sign", "aria-hidden": "true" }, "\u2715"), by.hidden("failed: "),
        by.h("button", { type: "button", class: "link", onclick: () => choose(item.id, true) }, item.id), " ", item.says))),
      worst.length > 6 ? by.h("p", { class: "note" }, "and " + by.plural(worst.length - 6, "more item")) : null,
      found.length ? by.h("div", { class: "likeness" }, by.h("h3", {}, "Looks like"),
        by.h("ul", {}, found.slice(0, 3).map((fault) => by.h("li", {}, fault.says, " ", by.h("span", { class: "note" }, "fails " + fault.fails.join(" ") + (fault.beyond ? "; " + by.plural(fault.beyond, "more item") + " failed here" : "; exactly what failed here"))))),
        by.h("p", { class: "note" }, "Known faults of this task whose failed items were all failed here. A likeness, not a proof.")) : null);
  }

  // --- files -----------------------------------------------------------------------------------

  function filesPart(data) {
    const { files, refused, litter, touched, outline } = data.chunk;
    return by.h("section", { class: "files" }, by.h("h2", {}, "Handed over"),
      files.length ? files.map((file) => by.h("details", {},
        by.h("summary", {}, by.h("b", {}, file.name), " ", by.h("span", { class: "note" }, [by.number(file.size) + " bytes", file.kind, file.status && file.status !== "ok" ? file.status : ""].filter(Boolean).join(", "))),
        file.says ? by.h("p", { class: "note" }, file.says) : null,
        file.text ? by.h("pre", { class: "text" }, file.text) : null,
        file.undrawn ? by.h("p", { class: "note" }, file.undrawn) : null,
        (file.pictures || []).map((one) => by.picture(one, file.name)),
        !file.text && !(file.pictures || []).length ? by.h("p", { class: "note" }, "Its outline stands below.") : null)) : by.h("p", {}, "Nothing was handed over."),
      refused.map(([name, why]) => by.h("p", { class: "note" }, "Not taken: " + name + ": " + why)),
      litter.length ? by.h("p", { class: "note" }, "Left out as litter: " + litter.join(", ")) : null,
      touched.map((one) => by.h("p", { class: "note" }, "Input " + one.what + ": " + one.name)),
      outline ? by.h("details", {}, by.h("summary", {}, "Outline of what was handed over"), by.h("pre", { class: "text" }, outline)) : null);
  }

  // --- transcript ------------------------------------------------------------------------------

  function transcript(data, start, renamed) {
    const at = new Map(data.moments.map((moment) => [moment.i, moment]));
    const stops = data.moments.filter((one) => one.kind !== "note").map((one) => one.i);
    const full = by.h("section", { class: "moment-panel", "aria-label": "This event", tabindex: "0" });
    const list = by.h("ol", { class: "story" });
    const rows = new Map();
    let turn = null;
    let shown = null;
    let steps = 0;
    for (const moment of data.moments) {
      const now = moment.move === undefined ? "" : "turn " + moment.move;
      const row = by.storyRow(moment, now === turn ? "" : now, [], () => { player.stop(); player.to(moment.i); });
      turn = now;
      row.hidden = moment.kind === "note";
      rows.set(moment.i, row);
      list.append(row);
    }
    const player = by.player({
      stops, broken: [], changed: data.moments.filter((one) => !one.ok).map((one) => one.i),
      group: (i) => at.get(i).t,
      of: (i) => ({ where: "event " + i + " of " + data.moments[data.moments.length - 1].i, said: "Event " + i + ", " + at.get(i).who + ": " + by.brief(by.lineOf(at.get(i)), 160) }),
      show(i) {
        if (shown) shown.classList.remove("current");
        shown = rows.get(i);
        shown.classList.add("current");
        const moment = at.get(i);
        by.replace(full, by.momentInFull(moment, ["Event " + i, by.h("span", { class: "when" }, moment.who + (moment.move === undefined ? "" : ", turn " + moment.move))], {}));
        const box = list.parentElement;
        if (box && box.scrollHeight > box.clientHeight + 4) box.scrollTop = shown.offsetTop - box.offsetTop - box.clientHeight / 3;
        steps += 1;
        if (steps > 1) renamed(i);
      },
    });
    by.once(() => player.to(start === null ? stops[0] : start));
    return by.h("section", { class: "transcript", "aria-label": "Transcript" }, by.h("h2", {}, "Transcript"), player.element,
      by.h("div", { class: "stage two" }, by.h("section", { class: "story-panel", "aria-label": "Events" }, by.h("div", { class: "story-scroll" }, list)), full));
  }
})(window.bythebook);
