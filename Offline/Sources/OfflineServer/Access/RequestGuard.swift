// SPDX-License-Identifier: Apache-2.0
import OfflineAPI

/// Decides from a request's head whether the request may reach the router.
///
/// The checks run in this order. `Host` must be in an exact list. `Origin`, if present, must be
/// this server. `Sec-Fetch-Site` must not name another site. The token in the `Authorization`
/// header, or the token or key in the cookie, must be correct. A write with the cookie must come
/// from this server's page, and must carry JSON or, for an upload, a file. A request that fails a
/// check gets a response before any handler runs.
struct RequestGuard: Sendable {
    /// The guard's decision on a request.
    enum Verdict: Equatable, Sendable {
        /// Pass the request to the router.
        case allow
        /// Set the cookie and redirect to the address without the token or the ticket.
        case remember(AccessToken)
        /// Redirect in the same way without setting the cookie, which is already correct.
        case proceed
        /// Return a page that shows the code and asks again until the user lets the device in.
        case wait(code: String)
        /// Return a page without data that loads this address again from this server. The browser
        /// did not send the cookie, because the navigation came from another site.
        case reloadFromHere(location: String)
        /// Return an error.
        case refuse(status: Int, code: String, message: String)
    }

    /// The proofs that admit a request.
    enum Keys: Sendable {
        /// The token of the server, and the tickets that replace it in an entry address.
        case owner(AccessToken, EntryTickets)
        /// The keys and invitations of other devices.
        case devices(DeviceAccess)
    }

    /// The accepted values of `Host`, in lower case, with ports.
    let hosts: Set<String>
    private let port: UInt16
    private let keys: Keys
    /// The name of the cookie.
    ///
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
        self.port = port
        keys = .owner(token, tickets)
        cookieName = "offline_token_\(port)"
    }

    /// Creates the guard of the server for other devices in the local network.
    init(devices: DeviceAccess) {
        port = devices.port
        hosts = Set(LocalAddress.names().map { "\($0):\(devices.port)" })
        keys = .devices(devices)
        cookieName = "offline_device_\(devices.port)"
    }

    /// The parameter that marks an address as reloaded, so that a page reloads only once.
    static let reloadedParameter = "reloaded"

    /// The parameters of `/add` that survive the reload.
    static let addParameters = ["url", "text", "title", "referrer"]
    /// The maximum length of the reloaded address in bytes.
    ///
    /// The limit for a request's head is larger.
    static let longestLocation = 16 << 10

    /// Returns the decision on one request.
    func verdict(on request: ServerRequest) -> Verdict {
        guard let host = request.header("host")?.lowercased(), accepts(host) else {
            return wrongHost
        }
        let origins = request.headers(named: "origin")
        let own = ["http://\(host)", "https://\(host)"]
        guard origins.allSatisfy({ own.contains($0.lowercased()) }), origins.count <= 1 else {
            return Self.foreignOrigin
        }
        if let verdict = verdict(onSiteOf: request) { return verdict }
        if let given = request.parameter("token"), request.path == "/", request.isRead {
            guard case .owner(let token, _) = keys, token.matches(given) else {
                return wrongToken
            }
            return .remember(token)
        }
        if let ticket = request.parameter("ticket"), request.path == "/", request.method == "GET" {
            return verdict(onTicket: ticket, of: request)
        }
        switch credential(of: request) {
        case .waiting(let code):
            return request.path == "/" && request.isRead ? .wait(code: code) : Self.waiting
        case .refused:
            return Self.refused
        case .bearer:
            return verdict(onFormOf: request) ?? .allow
        case .cookie:
            guard request.isRead || comesFromOwnPage(request, origins: origins) else {
                return Self.foreignOrigin
            }
            return verdict(onFormOf: request) ?? .allow
        case .wrong:
            return wrongToken
        case .none:
            return reloadVerdict(on: request) ?? noToken
        }
    }

    /// Whether the requests come from other devices instead of this machine.
    var isForDevices: Bool {
        guard case .devices = keys else { return false }
        return true
    }

    /// Whether the connections are encrypted.
    var isEncrypted: Bool {
        guard case .devices(let devices) = keys else { return false }
        return devices.isEncrypted
    }

    private func accepts(_ host: String) -> Bool {
        if hosts.contains(host) { return true }
        guard case .devices = keys else { return false }
        // The address of this machine can change, but a page of another site never has a number as
        // host.
        return LocalAddress.isNumeric(host: host, port: port)
    }

    /// Accepts a spent ticket with a valid cookie, because the browser may have restored an old
    /// tab.
    private func verdict(onTicket ticket: String, of request: ServerRequest) -> Verdict {
        let credential = credential(of: request)
        switch keys {
        case .owner(let token, let tickets):
            if tickets.redeem(ticket) { return .remember(token) }
            return credential == .cookie ? .proceed : spentTicket
        case .devices(let devices):
            // A device that is already in, or waits, needs no second key.
            if credential == .cookie { return .proceed }
            if case .waiting = credential { return .proceed }
            let key = devices.enter(ticket, from: request.header("user-agent"))
            return key.map { .remember($0) } ?? spentTicket
        }
    }

    private enum Credential: Equatable {
        case bearer, cookie, wrong, none
        case waiting(code: String)
        case refused
    }

    private func credential(of request: ServerRequest) -> Credential {
        let authorizations = request.headers(named: "authorization")
        if let authorization = authorizations.first {
            let parts = authorization.split(separator: " ", maxSplits: 1)
            let isRight =
                authorizations.count == 1 && parts.count == 2
                && parts[0].lowercased() == "bearer"
                && isToken(parts[1].trimmingSpaces)
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
        guard case .devices(let devices) = keys else {
            return values.contains(where: isToken) ? .cookie : .wrong
        }
        // A browser sends one key. With many keys, a client could make the server compute many
        // checksums.
        switch values.count == 1 ? devices.standing(of: values[0]) : .unknown {
        case .device: return .cookie
        case .waiting(let code): return .waiting(code: code)
        case .refused: return .refused
        case .unknown: return .wrong
        }
    }

    /// Whether the string is the server's token, which does not admit other devices.
    private func isToken(_ text: String) -> Bool {
        guard case .owner(let token, _) = keys else { return false }
        return token.matches(text)
    }

    /// Refuses requests from pages of other sites, but answers a followed link with a page without
    /// data.
    private func verdict(onSiteOf request: ServerRequest) -> Verdict? {
        let sites = request.headers(named: "sec-fetch-site")
        if sites.allSatisfy({ $0 == "same-origin" || $0 == "none" }) { return nil }
        guard request.header("sec-fetch-mode") == "navigate",
            request.header("sec-fetch-dest") == "document", request.isRead
        else { return Self.foreignOrigin }
        // The user may follow the address with the token from a chat or a mail.
        if request.path == "/", request.parameter("token") != nil { return nil }
        return reloadVerdict(on: request) ?? Self.foreignOrigin
    }

    /// Returns the reload for the two addresses that other sites may link to, or nil after a
    /// reload.
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

    /// Whether a write with the cookie comes from this server's page.
    ///
    /// The cookie alone is not enough.
    private func comesFromOwnPage(_ request: ServerRequest, origins: [String]) -> Bool {
        origins.count == 1 || request.header("sec-fetch-site") == "same-origin"
    }

    private func verdict(onFormOf request: ServerRequest) -> Verdict? {
        let hasBody = ["POST", "PUT", "PATCH"].contains(request.method)
        // A page of another site cannot send a body of either type without a preflight request.
        if request.isUpload {
            return request.contentType == "application/octet-stream" ? nil : Self.noFile
        }
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

    private var remedy: String {
        guard case .devices = keys else { return Self.remedy }
        return
            "On the page of the library, choose Settings and Add a device, and scan the new code."
    }

    private var wrongHost: Verdict {
        .refuse(
            status: 403,
            code: "wrongHost",
            message: "This server does not accept that host name. \(remedy)"
        )
    }

    private static let noFile = Verdict.refuse(
        status: 415,
        code: "notFile",
        message: "The body is not declared as a file. "
            + "Send it with Content-Type: application/octet-stream."
    )

    static let foreignOrigin = Verdict.refuse(
        status: 403,
        code: "foreignOrigin",
        message: "The request comes from a page of another site. \(remedy)"
    )

    private var wrongToken: Verdict {
        guard case .devices = keys else {
            return .refuse(
                status: 403,
                code: "wrongToken",
                message: "The token is wrong. \(remedy)"
            )
        }
        return .refuse(
            status: 403,
            code: "unknownDevice",
            message: "This device is not in, or was removed. \(remedy)"
        )
    }

    private var spentTicket: Verdict {
        .refuse(
            status: 403,
            code: "spentTicket",
            message: "This address was used already or is too old. \(remedy)"
        )
    }

    private static let waiting = Verdict.refuse(
        status: 403,
        code: "waiting",
        message: "This device waits to be let in. Confirm it on a page of the library."
    )

    private static let refused = Verdict.refuse(
        status: 403,
        code: "refused",
        message: "This device was refused on a page of the library."
    )

    static let tooLong = Verdict.refuse(
        status: 414,
        code: "tooLong",
        message: "The link carries more than \(longestLocation >> 10) KiB of text. Open the page "
            + "of your library and paste the addresses there."
    )

    private var noToken: Verdict {
        .refuse(
            status: 403,
            code: "noToken",
            message: "The request has no token. \(remedy)"
        )
    }
}
