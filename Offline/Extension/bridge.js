// SPDX-License-Identifier: Apache-2.0
// Runs beside the program's page in an isolated world. The bridge offers cookies to the page, and
// fetches the cookies from the background script when the page asks. Until then, the bridge
// contains no secret.

// Without `void`, the background script would wait for the end of this function, which waits for
// answers from that script.
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
      // The browser has updated or removed the extension.
    }
    post(answer ?? { number: offer.number, isGone: true });
  });
  post(offer);
})();
