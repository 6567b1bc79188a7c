// SPDX-License-Identifier: Apache-2.0
// Runs beside the program's page, in a world of its own: offers cookies to the page, and fetches
// them from the background script when the page asks. It contains no secret until then.

// Without `void`, the background script would wait for the end, and the end for its answers.
void (async () => {
  const { runtime } = globalThis.browser ?? globalThis.chrome;
  const post = (message) => window.postMessage({ offline: message }, location.origin);
  const offer = await runtime.sendMessage({ ask: "offer" });
  if (!offer) return;

  addEventListener("message", async (event) => {
    const wanted = event.data?.offline;
    if (event.source !== window || event.origin !== location.origin) return;
    if (wanted?.ask !== "cookies" || wanted.number !== offer.number) return;
    let answer;
    try {
      answer = await runtime.sendMessage({ ask: "cookies", number: offer.number });
    } catch {
      // The extension was updated or removed.
    }
    post(answer ?? { number: offer.number, isGone: true });
  });
  post(offer);
})();
