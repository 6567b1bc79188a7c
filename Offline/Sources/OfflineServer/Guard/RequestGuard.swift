// SPDX-License-Identifier: Apache-2.0

/// Decides by a request's head whether the request may reach the router.
///
/// The checks run in this order: `Host` is in an exact list; `Origin`, if present, is this server;
/// `Sec-Fetch-Site` names no other site; the token in the `Authorization` header or the cookie is
/// correct; a write with the cookie comes from this server's page and carries JSON. A request that
/// fails a check gets its response before any handler runs.
struct RequestGuard: Sendable {
    /// The guard's decision on a request.
    enum Verdict: Equatable, Sendable {
        /// Pass the request to the router.
        case allow
        /// Set the cookie and redirect to the address without the token or ticket that it carried.
        case rememberToken
        /// Return a page without data that loads this address again from this server: on a
        /// navigation from another site the browser did not send the cookie.
        case reloadFromHere(location: String)
        /// Return an error.
        case refuse(status: Int, code: String, message: String)
    }

    /// The accepted values of `Host`, in lower case, with ports.
    let hosts: Set<String>
    let token: AccessToken
    let tickets: EntryTickets
    /// Contains the port, because browsers share cookies among the ports of a host.
    let cookieName: String

    /// Creates the guard of a server.
    ///
    /// - Parameters:
    ///   - port: The server's port.
    ///   - addedHosts: Host names to accept besides the loopback names, with or without a port.
    ///   - token: The server's token.
    ///   - tickets: The tickets that replace the token in an entry address.
    init(port: UInt16, addedHosts: [String], token: AccessToken, tickets: EntryTickets) {
        var hosts: Set<String> = []
        for host in ["127.0.0.1", "localhost", "[::1]"] {
            hosts.insert("\(host):\(port)")
            // Browsers omit the default port of the scheme.
            if port == 80 { hosts.insert(host) }
        }
        for host in addedHosts.map({ $0.lowercased() }) {
            hosts.insert(host)
            hosts.insert("\(host):\(port)")
        }
        self.hosts = hosts
        self.token = token
        self.tickets = tickets
        cookieName = "offline_token_\(port)"
    }

    /// The parameter that marks an address as reloaded, so that a page reloads only once.
    static let reloadedParameter = "reloaded"

    /// The parameters of `/add` that survive the reload.
    static let addParameters = ["url", "text", "title", "referrer"]
    /// The maximum length of the reloaded address in bytes; the server's head has room for it.
    static let longestLocation = 16 << 10

    /// Returns the decision on one request.
    func verdict(on request: ServerRequest) -> Verdict {
        guard let host = request.header("host")?.lowercased(), hosts.contains(host) else {
            return Self.wrongHost
        }
        let origins = request.headers(named: "origin")
        let own = ["http://\(host)", "https://\(host)"]
        guard origins.allSatisfy({ own.contains($0.lowercased()) }), origins.count <= 1 else {
            return Self.foreignOrigin
        }
        if let verdict = verdict(onSiteOf: request) { return verdict }
        if let given = request.parameter("token"), request.path == "/", request.isRead {
            return token.matches(given) ? .rememberToken : Self.wrongToken
        }
        if let ticket = request.parameter("ticket"), request.path == "/", request.method == "GET" {
            return verdict(onTicket: ticket, of: request)
        }
        switch credential(of: request) {
        case .bearer:
            return verdict(onFormOf: request) ?? .allow
        case .cookie:
            guard request.isRead || comesFromOwnPage(request, origins: origins) else {
                return Self.foreignOrigin
            }
            return verdict(onFormOf: request) ?? .allow
        case .wrong:
            return Self.wrongToken
        case .none:
            return reloadVerdict(on: request) ?? Self.noToken
        }
    }

    /// Accepts a spent ticket with a valid cookie, such as from a tab that the browser restores.
    private func verdict(onTicket ticket: String, of request: ServerRequest) -> Verdict {
        if tickets.redeem(ticket) { return .rememberToken }
        return credential(of: request) == .cookie ? .rememberToken : Self.spentTicket
    }

    private enum Credential {
        case bearer, cookie, wrong, none
    }

    private func credential(of request: ServerRequest) -> Credential {
        let authorizations = request.headers(named: "authorization")
        if let authorization = authorizations.first {
            let parts = authorization.split(separator: " ", maxSplits: 1)
            let isRight =
                authorizations.count == 1 && parts.count == 2
                && parts[0].lowercased() == "bearer"
                && token.matches(parts[1].trimmingSpaces)
            return isRight ? .bearer : .wrong
        }
        let values = request.headers(named: "cookie").flatMap { line in
            line.split(separator: ";").compactMap { pair -> String? in
                let pair = pair.trimmingSpaces
                guard pair.hasPrefix("\(cookieName)=") else { return nil }
                return String(pair.dropFirst(cookieName.count + 1))
            }
        }
        if values.isEmpty { return .none }
        return values.contains { token.matches($0) } ? .cookie : .wrong
    }

    /// Refuses requests from pages of other sites; a followed link leads to the page without data.
    private func verdict(onSiteOf request: ServerRequest) -> Verdict? {
        let sites = request.headers(named: "sec-fetch-site")
        if sites.allSatisfy({ $0 == "same-origin" || $0 == "none" }) { return nil }
        guard request.header("sec-fetch-mode") == "navigate",
            request.header("sec-fetch-dest") == "document", request.isRead
        else { return Self.foreignOrigin }
        // A person may follow the address with the token from a chat or a mail.
        if request.path == "/", request.parameter("token") != nil { return nil }
        return reloadVerdict(on: request) ?? Self.foreignOrigin
    }

    /// Returns the reload for the two addresses that other sites may link to; nil after a reload.
    private func reloadVerdict(on request: ServerRequest) -> Verdict? {
        guard request.method == "GET", request.parameter(Self.reloadedParameter) == nil,
            request.path == "/add" || request.header("sec-fetch-site") == "cross-site"
                || request.header("sec-fetch-site") == "same-site",
            request.path == "/add" || request.path == "/"
        else { return nil }
        var location = request.path + "?" + Self.reloadedParameter + "=1"
        for name in Self.addParameters {
            guard let value = request.parameter(name) else { continue }
            location += "&\(name)=" + PercentEncoding.encode(value)
        }
        return location.utf8.count <= Self.longestLocation
            ? .reloadFromHere(location: location) : Self.tooLong
    }

    /// Whether a write with the cookie comes from this server's page; the cookie is not enough.
    private func comesFromOwnPage(_ request: ServerRequest, origins: [String]) -> Bool {
        origins.count == 1 || request.header("sec-fetch-site") == "same-origin"
    }

    private func verdict(onFormOf request: ServerRequest) -> Verdict? {
        guard ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"].contains(request.method) else {
            return .refuse(
                status: 405,
                code: "methodNotAllowed",
                message: "This server does not support the method. "
                    + "Use GET, HEAD, POST, PUT, PATCH or DELETE."
            )
        }
        let hasBody = ["POST", "PUT", "PATCH"].contains(request.method)
        guard hasBody, request.contentType != "application/json" else { return nil }
        return .refuse(
            status: 415,
            code: "notJSON",
            message: "The body is not declared as JSON. "
                + "Send it with Content-Type: application/json."
        )
    }
}

extension RequestGuard {
    private static let remedy = "Open the address that `offline serve` printed when it started."

    static let wrongHost = Verdict.refuse(
        status: 403,
        code: "wrongHost",
        message: "This server does not accept that host name. \(remedy)"
    )

    static let foreignOrigin = Verdict.refuse(
        status: 403,
        code: "foreignOrigin",
        message: "The request comes from a page of another site. \(remedy)"
    )

    static let wrongToken = Verdict.refuse(
        status: 403,
        code: "wrongToken",
        message: "The token is wrong. \(remedy)"
    )

    static let spentTicket = Verdict.refuse(
        status: 403,
        code: "spentTicket",
        message: "This address was used already or is older than two minutes. \(remedy)"
    )

    static let tooLong = Verdict.refuse(
        status: 414,
        code: "tooLong",
        message: "The link carries more than \(longestLocation >> 10) KiB of text. Open the page "
            + "of your library and paste the addresses there."
    )

    static let noToken = Verdict.refuse(
        status: 403,
        code: "noToken",
        message: "The request has no token. \(remedy)"
    )
}
