// SPDX-License-Identifier: Apache-2.0

/// Decides whether a request may reach a handler, by its head alone.
///
/// The checks run in this order: `Host` is one of an exact list; `Origin`, if present, is this
/// server's own; `Sec-Fetch-Site` names no other site; the token, from the `Authorization` header
/// or the cookie, is right; a write with the cookie proves that it comes from this server's page
/// and carries JSON. What fails is answered before any handler runs.
struct RequestGuard: Sendable {
    /// What happens to a request.
    enum Verdict: Equatable, Sendable {
        /// It goes to the router.
        case allow
        /// It carried the token or a ticket in the address: set the cookie and lead to the address
        /// without it.
        case rememberToken
        /// Another site led here, so the browser kept the cookie back: answer a page without data
        /// that loads this address again, this time from here.
        case reloadFromHere(location: String)
        /// It is answered with an error.
        case refuse(status: Int, code: String, message: String)
    }

    /// Lower-cased values that `Host` may have, ports included.
    let hosts: Set<String>
    let token: AccessToken
    let tickets: EntryTickets
    /// Browsers share cookies among the ports of a host, so the port is part of the name.
    let cookieName: String

    /// Makes the guard of a server on `port`; `addedHosts` are further names under which it is
    /// reached, with or without a port.
    init(port: UInt16, addedHosts: [String], token: AccessToken, tickets: EntryTickets) {
        var hosts: Set<String> = []
        for host in ["127.0.0.1", "localhost", "[::1]"] {
            hosts.insert("\(host):\(port)")
            // Browsers leave out the port that the scheme implies.
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

    /// The parameter with which a page that reloaded itself once says so.
    static let reloadedParameter = "reloaded"

    /// Decides on one request.
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

    /// Whoever is known already gets in with a spent ticket as well, such as a tab that is opened
    /// again.
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

    /// Refuses what a page of another site sent; a person following a link from there is let
    /// through to the page without data.
    private func verdict(onSiteOf request: ServerRequest) -> Verdict? {
        let sites = request.headers(named: "sec-fetch-site")
        if sites.allSatisfy({ $0 == "same-origin" || $0 == "none" }) { return nil }
        guard request.header("sec-fetch-mode") == "navigate",
            request.header("sec-fetch-dest") == "document", request.isRead
        else { return Self.foreignOrigin }
        // The first address may stand in a chat or a mail; whoever knows the token may come in.
        if request.path == "/", request.parameter("token") != nil { return nil }
        return reloadVerdict(on: request) ?? Self.foreignOrigin
    }

    /// The page without data, for the two addresses that other sites may lead to; only once.
    private func reloadVerdict(on request: ServerRequest) -> Verdict? {
        guard request.method == "GET", request.parameter(Self.reloadedParameter) == nil,
            request.path == "/add" || request.header("sec-fetch-site") == "cross-site"
                || request.header("sec-fetch-site") == "same-site",
            request.path == "/add" || request.path == "/"
        else { return nil }
        var location = request.path + "?" + Self.reloadedParameter + "=1"
        if let address = request.parameter("url") {
            location += "&url=" + PercentEncoding.encode(address)
        }
        return .reloadFromHere(location: location)
    }

    /// With the cookie alone a write must prove that it comes from this server's own page.
    private func comesFromOwnPage(_ request: ServerRequest, origins: [String]) -> Bool {
        origins.count == 1 || request.header("sec-fetch-site") == "same-origin"
    }

    private func verdict(onFormOf request: ServerRequest) -> Verdict? {
        guard ["GET", "HEAD", "POST", "PUT", "DELETE"].contains(request.method) else {
            return .refuse(
                status: 405,
                code: "methodNotAllowed",
                message: "This server answers GET, HEAD, POST, PUT and DELETE."
            )
        }
        let hasBody = request.method == "POST" || request.method == "PUT"
        guard hasBody, request.contentType != "application/json" else { return nil }
        return .refuse(
            status: 415,
            code: "notJSON",
            message: "Send the body as JSON with Content-Type: application/json."
        )
    }
}

extension RequestGuard {
    private static let wayIn = "open the address that `offline serve` printed when it started"

    static let wrongHost = Verdict.refuse(
        status: 403,
        code: "wrongHost",
        message: "This server is not known under that name: \(wayIn), "
            + "or add the name with --host."
    )

    static let foreignOrigin = Verdict.refuse(
        status: 403,
        code: "foreignOrigin",
        message: "The request comes from a page of another site: \(wayIn)."
    )

    static let wrongToken = Verdict.refuse(
        status: 403,
        code: "wrongToken",
        message: "The token is not this server's: \(wayIn)."
    )

    static let spentTicket = Verdict.refuse(
        status: 403,
        code: "spentTicket",
        message: "This address has let a browser in already, or is older than two minutes: "
            + "\(wayIn)."
    )

    static let noToken = Verdict.refuse(
        status: 403,
        code: "noToken",
        message: "The request has no token: \(wayIn)."
    )
}
