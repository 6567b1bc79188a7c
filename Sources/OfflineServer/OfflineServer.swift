// SPDX-License-Identifier: Apache-2.0
package import OfflineLibrary
import Tidings
package import TidingsUserNotifications

/// The page and the HTTP API of one library.
///
/// ```swift
/// let server = try OfflineServer(library: library, reports: reports, configuration: .init())
/// try server.start()
/// print(server.address)
/// ```
package final class OfflineServer: Sendable {
    /// Where the server listens and whom it answers.
    package struct Configuration: Sendable {
        /// The port that is tried first when none is asked for.
        package static let preferredPort: UInt16 = 8_420

        /// The port to listen on; nil takes 8420, or the next one that is free.
        package var port: UInt16?
        /// The numeric address to listen on.
        package var listen: String
        /// Names, besides the loopback ones, under which browsers may reach the server.
        package var hosts: [String]
        /// The secret that every request must carry; nil makes a new one.
        package var token: String?
        /// What the keep-alive comments are timed with.
        package var clock: any Clock<Duration>

        package init(
            port: UInt16? = nil,
            listen: String = "127.0.0.1",
            hosts: [String] = [],
            token: String? = nil,
            clock: any Clock<Duration> = ContinuousClock()
        ) {
            self.port = port
            self.listen = listen
            self.hosts = hosts
            self.token = token
            self.clock = clock
        }
    }

    private enum Phase {
        case ready(ListeningSocket)
        case running(HTTPServer)
        case stopped
    }

    /// The secret that every request must carry.
    package let token: String
    /// Scheme, host and port, as a client on this machine uses them.
    package let origin: String
    private let requestGuard: RequestGuard
    private let tickets: EntryTickets
    private let router: Router
    let hub: EventHub
    private let notices: LibraryNotices
    private let library: Library
    private let reports: LibraryReports
    let activity: ActivityWatch
    private let phase: Lock<Phase>

    /// Takes the port and reads the page's files; nothing is answered before `start`.
    ///
    /// - Parameters:
    ///   - library: The library.
    ///   - reports: What goes wrong in it; followed from the start on.
    ///   - configuration: Where the server listens and whom it answers.
    ///   - desktop: Who shows notifications while nobody looks at the page, if anybody does.
    /// - Throws: `ServerError`: `.portTaken` for a port that was asked for, `.badConfiguration`,
    ///   `.cannotListen`, `.resourcesMissing`.
    package init(
        library: Library,
        reports: LibraryReports,
        configuration: Configuration,
        desktop: (any NotificationBackend)? = nil
    ) throws(ServerError) {
        let token = try Self.token(configuration.token)
        let hosts = try configuration.hosts.map(Self.checkedHost)
        let folder = try ResourceFolder.find()
        let page = try ResourceFiles(folder: folder.path + "/Page")
        let sample = try ResourceFiles(folder: folder.path + "/Sample")
        let hub = EventHub(library: library, clock: configuration.clock)
        self.hub = hub
        self.library = library
        self.reports = reports
        notices = LibraryNotices(library, desktop: desktop) { [weak hub] in
            hub?.isInFront ?? false
        }
        activity = ActivityWatch(library.messages, clock: configuration.clock)
        // The port comes last: nothing that could fail after it would give it back.
        let socket = try ListeningSocket.open(
            on: configuration.listen,
            port: configuration.port,
            preferred: Configuration.preferredPort
        )
        let host = Self.ownHost(listen: configuration.listen)
        self.token = token.text
        origin = "http://\(host):\(socket.port)"
        let tickets = EntryTickets(clock: configuration.clock)
        self.tickets = tickets
        requestGuard = RequestGuard(
            port: socket.port,
            addedHosts: hosts + ["\(host):\(socket.port)"],
            token: token,
            tickets: tickets
        )
        router = Router(
            library: library,
            hub: hub,
            notices: notices,
            reports: reports,
            activity: activity,
            page: page,
            sample: sample,
            entryAddress: { [origin] in Self.entryAddress(origin, tickets) }
        )
        phase = Lock(.ready(socket))
    }

    deinit {
        if case .ready(let socket) = phase.withLock({ $0 }) { socket.close() }
    }

    /// The address for the person, with the token that lets them in.
    package var address: String { "\(origin)/?token=\(token)" }

    /// Returns a new address that lets one browser in within two minutes: what other users of the
    /// machine may see, such as a program's arguments, holds this one.
    package func entryAddress() -> String { Self.entryAddress(origin, tickets) }

    /// Returns such an address that leads where a response to a notification leads.
    package func entryAddress(of target: NavigationRequested) -> String {
        guard target.plays, let item = target.item else {
            return "\(entryAddress())#\(target.place.rawValue)"
        }
        return "\(entryAddress())#play-\(item)"
    }

    /// Where the sample stream is; asked for with the token as `Authorization: Bearer`.
    package var sampleAddress: String { "\(origin)/sample/sample.m3u8" }

    /// Begins to answer; a second call does nothing.
    package func start() throws(ServerError) {
        let ready = phase.withLock { phase -> ListeningSocket? in
            guard case .ready(let socket) = phase else { return nil }
            phase = .stopped
            return socket
        }
        guard let ready else { return }
        let requestGuard = requestGuard
        let router = router
        let server = try HTTPServer(
            on: ready,
            admit: { requestGuard.answer(to: $0) },
            respond: { await router.respond(to: $0) }
        )
        hub.start()
        notices.start()
        reports.follow(library)
        phase.withLock { $0 = .running(server) }
    }

    /// Ends every open page's stream, answers what is being answered, and closes the port.
    package func stop() async {
        let phase = phase.withLock { phase in
            defer { phase = .stopped }
            return phase
        }
        hub.stop()
        activity.stop()
        await notices.stop()
        switch phase {
        case .ready(let socket): socket.close()
        case .running(let server): await server.stop()
        case .stopped: break
        }
    }
}

extension OfflineServer {
    private static func entryAddress(_ origin: String, _ tickets: EntryTickets) -> String {
        "\(origin)/?ticket=\(tickets.issue().text)"
    }

    private static func token(_ text: String?) throws(ServerError) -> AccessToken {
        guard let text else { return .random() }
        guard let token = AccessToken(text) else {
            throw ServerError(
                .badConfiguration,
                "The token must have 16 to 256 letters, digits, - or _; leave it out to get one."
            )
        }
        return token
    }

    private static func checkedHost(_ text: String) throws(ServerError) -> String {
        let isName =
            !text.isEmpty && text.utf8.count <= 255
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x3A, 0x41...0x5B, 0x5D, 0x5F, 0x61...0x7A, 0x2D, 0x2E: true
                default: false
                }
            }
        guard isName else {
            throw ServerError(
                .badConfiguration,
                "“\(text)” is not a host name; give --host as browsers show it, such as media.lan."
            )
        }
        return text
    }

    /// The name under which this machine reaches a server on that address.
    private static func ownHost(listen: String) -> String {
        switch listen {
        case "0.0.0.0": "127.0.0.1"
        case "::", "::1": "[::1]"
        default: listen.contains(":") ? "[\(listen)]" : listen
        }
    }
}
