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
            GuardPage(title: "Opening…", text: "Opening your library…", next: location)
                .response(status: 200)
        case .refuse(let status, let code, let message):
            wantsPage(request)
                ? GuardPage(title: "This library is locked", text: message, steps: GuardPage.steps)
                    .response(status: status)
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
}
