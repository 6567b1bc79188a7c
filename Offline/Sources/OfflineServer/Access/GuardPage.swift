// SPDX-License-Identifier: Apache-2.0

/// A page without data from the library, for a browser that the guard does not admit.
///
/// All strings are constants of this program, which are inserted without escaping.
struct GuardPage: Sendable {
    let title: String
    let text: String
    /// The steps that the user can take, as items of a list.
    ///
    /// The strings may contain markup.
    var steps: [String] = []
    /// The percent-encoded address that the page loads next, or nil for none.
    var next: String?
    /// The seconds until the page loads `next`.
    var seconds = 0
    /// The digits to show in large type, or nil for none.
    var code: String?

    /// The ways to find an address with the token.
    static let steps = [
        "Go to the terminal in which <code>offline serve</code> runs, and open the address that it "
            + "printed. It contains <code>?token=</code>, and this browser remembers it for a year.",
        "If that window is closed, run <code>offline serve</code> again: it prints the address of "
            + "the server that runs already, and opens it.",
    ]

    /// Returns the response with the page.
    ///
    /// The policy permits only the page's own style and icon.
    ///
    /// The page names the icon, because browsers otherwise request `/favicon.ico`, which does not
    /// exist.
    func response(status: Int) -> ServerResponse {
        let refresh =
            next.map { "<meta http-equiv=\"refresh\" content=\"\(seconds);url=\($0)\">" } ?? ""
        let items = steps.map { "<li>\($0)</li>" }.joined()
        let text = text.replacing(/`([^`]+)`/) { "<code>\($0.output.1)</code>" }
        let list = items.isEmpty ? "" : "<ol>\(items)</ol>"
        let digits = code.map { "<p class=\"code\">\($0)</p>" } ?? ""
        let html = """
            <!doctype html><html lang="en"><head><meta charset="utf-8">\
            <meta name="viewport" content="width=device-width, initial-scale=1">\
            <meta name="color-scheme" content="light dark">\
            <link rel="icon" href="/icon.svg">\
            <title>\(title) · Offline</title><style>\(Self.style)</style>\
            \(refresh.replacing("&", with: "&amp;"))</head>\
            <body><main>\(Self.mark)<h1>\(title)</h1><p>\(text)</p>\(digits)\(list)</main></body>\
            </html>
            """
        return ServerResponse(
            status,
            headers: [
                ("Content-Type", "text/html; charset=utf-8"),
                ("Content-Security-Policy", Self.policy),
            ],
            body: .bytes([UInt8](html.utf8))
        )
    }

    private static let policy =
        "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'none'"

    private static let mark = """
        <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" \
        stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">\
        <path d="M12 3v9.5m-4-3.7 4 4 4-4"/>\
        <path d="M3 18.5c1.5-1.4 3-1.4 4.5 0s3 1.4 4.5 0 3-1.4 4.5 0 3 1.4 4.5 0"/></svg>
        """

    private static let style = """
        body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1rem;\
        box-sizing:border-box;background:Canvas;color:CanvasText;\
        font:100%/1.6 system-ui,"Noto Sans","DejaVu Sans",sans-serif}\
        main{max-width:34rem}svg{width:2.5rem;height:2.5rem;padding:.7rem;border-radius:1rem;\
        background:#0c6a64;color:#fff}h1{font-size:1.6rem;line-height:1.25;margin:1rem 0 .5rem}\
        p{margin:0}.code{font-size:2.5rem;font-weight:700;letter-spacing:.2em;margin-top:.75rem}\
        li{margin-top:.75rem}code{font:.95em monospace,monospace;overflow-wrap:anywhere}
        """
}
