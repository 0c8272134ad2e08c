// Addresses after the hash: #/run/q03-acacia-durian/1/event/17?of=golden
"use strict";
(function (by) {
  /** Parts and options of an address; what does not read is the overview. */
  by.read = (hash) => {
    const [path, query] = hash.replace(/^#\/?/, "").split("?");
    const decode = (text) => {
      try {
        return decodeURIComponent(text);
      } catch {
        return text;
      }
    };
    const options = {};
    for (const pair of (query || "").split("&").filter(Boolean)) {
      const [name, value] = pair.split("=");
      options[decode(name)] = decode(value || "");
    }
    return { parts: path.split("/").filter(Boolean).map(decode), options };
  };

  /** The address of a page. */
  by.to = (parts, options) => {
    const query = Object.entries(options || {})
      .filter(([, value]) => value !== undefined && value !== "" && value !== null)
      .map(([name, value]) => encodeURIComponent(name) + "=" + encodeURIComponent(value));
    return "#/" + parts.map(encodeURIComponent).join("/") + (query.length ? "?" + query.join("&") : "");
  };

  by.link = (parts, options, ...children) => by.h("a", { href: by.to(parts, options) }, children);

  /** Put another address in its place without leaving the page: what is shown is already there. */
  by.renamed = (parts, options) => {
    const address = by.to(parts, options);
    if (address !== window.location.hash) window.history.replaceState(null, "", address);
  };

  /** The address of one run, and of an event in it. */
  by.runLink = (run, event) => {
    const site = by.site;
    const parts = ["run", site.tasks[run.task].id, run.n];
    if (event !== undefined && event !== null) parts.push("event", event);
    const twins = site.runs.filter((one) => one.task === run.task && one.n === run.n).length > 1;
    return [parts, twins ? { of: site.evaluations[run.of].slug } : {}];
  };

  const NAMES = [
    "of", "task", "n", "outcome", "goal", "process", "protection", "strict", "exercised", "low",
    "high", "success", "calls", "void", "broken", "replay",
  ];

  /** The chunk `site` with its runs as records. */
  by.opened = (site) => ({
    ...site,
    runs: site.runs.map((row) => Object.fromEntries(NAMES.map((name, place) => [name, row[place]]))),
  });
})(window.bythebook);
