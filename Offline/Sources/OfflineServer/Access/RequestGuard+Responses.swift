// SPDX-License-Identifier: Apache-2.0

extension RequestGuard {
    /// Returns the response to a request that must not reach the router, or nil to admit the
    /// request.
    func immediateResponse(to request: ServerRequest) -> ServerResponse? {
        switch verdict(on: request) {
        case .allow:
            nil
        case .remember(let key):
            Self.entry(cookie: cookie(key))
        case .proceed:
            Self.entry(cookie: nil)
        case .wait(let code):
            GuardPage(
                title: "Waiting to be let in",
                text: "Let this device in on a page of the library. It must show this code there:",
                next: "/",
                seconds: 2,
                code: code
            ).response(status: 200)
        case .reloadFromHere(let location):
            GuardPage(title: "Opening…", text: "Opening your library…", next: location)
                .response(status: 200)
        case .refuse(let status, let code, let message):
            wantsPage(request)
                ? GuardPage(
                    title: "This library is locked",
                    text: message,
                    steps: isForDevices ? [] : GuardPage.steps
                )
                .response(status: status)
                : .failure(status, code, message: message)
        }
    }

    /// Returns a cookie for a year, because the token survives restarts of the server and the
    /// browser.
    private func cookie(_ key: AccessToken) -> String {
        "\(cookieName)=\(key.text); HttpOnly; SameSite=Strict; Path=/; Max-Age=31536000"
            + (isEncrypted ? "; Secure" : "")
    }

    private static func entry(cookie: String?) -> ServerResponse {
        ServerResponse(
            303,
            headers: [("Location", "/")] + (cookie.map { [("Set-Cookie", $0)] } ?? [])
                + [("Cache-Control", "no-store")]
        )
    }

    private func wantsPage(_ request: ServerRequest) -> Bool {
        request.path.hasPrefix("/api/") == false
            && request.headers(named: "accept").contains { $0.contains("text/html") }
    }
}
