// Data chunks: scripts beside the page that call bythebook.put. A page opened from a disk may load
// scripts, and nothing else.
"use strict";
window.bythebook = (function () {
  const chunks = new Map();
  const waiting = new Map();

  /** Called by every chunk. */
  function put(name, text) {
    chunks.set(name, JSON.parse(text));
  }

  /** The chunk of that name, once it is there. */
  function need(name) {
    if (chunks.has(name)) return Promise.resolve(chunks.get(name));
    if (waiting.has(name)) return waiting.get(name);
    const promise = new Promise((there, missing) => {
      const script = document.createElement("script");
      script.src = "data/" + name + ".js";
      script.onload = () => {
        script.remove();
        if (chunks.has(name)) there(chunks.get(name));
        else missing(new Error("data/" + name + ".js holds something else"));
      };
      script.onerror = () => {
        script.remove();
        waiting.delete(name);
        missing(new Error("data/" + name + ".js cannot be read; is the whole folder here?"));
      };
      document.head.append(script);
    });
    waiting.set(name, promise);
    return promise;
  }

  return { put, need, chunk: (name) => chunks.get(name), page: {} };
})();
