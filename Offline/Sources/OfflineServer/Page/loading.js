// SPDX-License-Identifier: Apache-2.0
// Reports an incomplete page if one of the scripts does not arrive. This script is not a module and
// needs no other file.

(() => {
  /**
   * Records that the page was reloaded once. One reload is enough after a short loss of the
   * connection.
   */
  const NAME = "loaded-again";

  function mayLoadAgain() {
    try {
      if (sessionStorage.getItem(NAME)) return false;
      sessionStorage.setItem(NAME, "true");
      return true;
    } catch {
      return false;
    }
  }

  function tell() {
    const again = document.createElement("button");
    again.type = "button";
    again.textContent = "Load again";
    again.addEventListener("click", () => location.reload());
    const strip = document.createElement("div");
    strip.id = "incomplete";
    strip.className = "strip failure";
    strip.setAttribute("role", "alert");
    const title = document.createElement("h1");
    title.textContent = "A part of this page did not arrive";
    const text = document.createElement("p");
    text.textContent = "Check the connection to the server, then load the page again.";
    strip.append(title, text, again);
    document.getElementById("main").prepend(strip);
  }

  function check() {
    if (document.documentElement.dataset.isWhole) {
      try {
        sessionStorage.removeItem(NAME);
      } catch {
        // A browser that forbids storage has stored nothing.
      }
    } else if (mayLoadAgain()) {
      location.reload();
    } else {
      tell();
    }
  }

  // By the load event, all scripts have run or failed.
  if (document.readyState === "complete") check();
  else addEventListener("load", check);
})();
