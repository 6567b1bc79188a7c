// SPDX-License-Identifier: Apache-2.0

extension RequestGuard {
    /// Returns the response to a request that must not reach the router; nil admits the request.
    func immediateResponse(to request: ServerRequest) -> ServerResponse? {
        switch verdict(on: request) {
        case .allow:
            nil
        case .rememberToken:
            ServerResponse(
                303,
                headers: [
                    ("Location", "/"),
                    ("Set-Cookie", cookie),
                    ("Cache-Control", "no-store"),
                ]
            )
        case .reloadFromHere(let location):
            Self.page(status: 200, title: "Opening…", text: "Opening your library…", next: location)
        case .refuse(let status, let code, let message):
            wantsPage(request)
                ? Self.page(status: status, title: "Access denied", text: message, next: nil)
                : .failure(status, code, message)
        }
    }

    /// Lasts a year: the token survives restarts of the server and the browser.
    private var cookie: String {
        "\(cookieName)=\(token.text); HttpOnly; SameSite=Strict; Path=/; Max-Age=31536000"
    }

    private func wantsPage(_ request: ServerRequest) -> Bool {
        request.path.hasPrefix("/api/") == false
            && request.headers(named: "accept").contains { $0.contains("text/html") }
    }

    /// Creates a page without data from the library.
    ///
    /// It names its icon, because browsers otherwise request `/favicon.ico`, which does not exist.
    ///
    /// - Parameters:
    ///   - status: The HTTP status.
    ///   - title: The title; a constant, inserted without escaping.
    ///   - text: The text; a constant, inserted without escaping.
    ///   - next: The percent-encoded address that the page loads next; nil for none.
    /// - Returns: The response with the page.
    private static func page(
        status: Int,
        title: String,
        text: String,
        next: String?
    ) -> ServerResponse {
        let refresh = next.map { "<meta http-equiv=\"refresh\" content=\"0;url=\($0)\">" } ?? ""
        let html = """
            <!doctype html><html lang="en"><head><meta charset="utf-8">\
            <meta name="viewport" content="width=device-width">\
            <link rel="icon" href="/icon.svg">\
            <title>\(title)</title>\(refresh.replacing("&", with: "&amp;"))</head>\
            <body><p>\(text)</p></body></html>
            """
        return .bytes([UInt8](html.utf8), type: "text/html; charset=utf-8", status: status)
    }
}
