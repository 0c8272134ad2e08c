// Light or dark: as the system says, unless somebody has chosen. Runs before anything is drawn.
"use strict";
(function () {
  const KEY = "bythebook-theme";
  const CHOICES = ["system", "light", "dark"];

  function kept() {
    // A page opened from a disk may have no storage.
    try {
      const found = window.localStorage.getItem(KEY);
      return CHOICES.includes(found) ? found : "system";
    } catch {
      return "system";
    }
  }

  function show(choice) {
    if (choice === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = choice;
  }

  let choice = kept();
  show(choice);

  window.bythebookTheme = {
    get choice() { return choice; },
    /** The next of system, light, dark. */
    turn() {
      choice = CHOICES[(CHOICES.indexOf(choice) + 1) % CHOICES.length];
      show(choice);
      try {
        window.localStorage.setItem(KEY, choice);
      } catch {
        // It holds for this page only.
      }
      return choice;
    },
  };
})();
