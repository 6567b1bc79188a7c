// SPDX-License-Identifier: Apache-2.0
package import OfflineAPI
package import OfflineLibrary
import Tidings
import TidingsLock

/// The page and the HTTP API of one library.
///
/// ```swift
/// let server = try OfflineServer(
///     library: library,
///     notifications: notifications,
///     reports: reports,
///     configuration: .init()
/// )
/// try server.start()
/// print(server.address)
/// ```
package final class OfflineServer: Sendable {
    /// The address, the host names, the token and the clock of a server.
    package struct Configuration: Sendable {
        /// The port that the server tries first if `port` is nil.
        package static let preferredPort: UInt16 = 8_420

        /// The port to listen on, or nil for 8420 or the next free port.
        package var port: UInt16?
        /// The numeric address to listen on.
        package var listen: String
        /// Host names, besides the loopback names, that a request may address.
        package var hosts: [String]
        /// The token that every request must carry, or nil to generate a random one.
        package var token: String?
        /// The access for other devices in the local network, or nil for none.
        package var devices: Devices?
        /// The ports that are open already, or nil to open the ports of this configuration.
        package var sockets: ServerSockets?
        /// Shows a file in the file manager and returns whether this succeeded.
        ///
        /// Nil without a desktop.
        package var showInFolder: (@Sendable (String) async -> Bool)?
        /// The clock for keep-alive comments and for the expiry of entry tickets.
        package var clock: any Clock<Duration>

        /// Creates a configuration that listens on the loopback address by default.
        package init(
            port: UInt16? = nil,
            listen: String = "127.0.0.1",
            hosts: [String] = [],
            token: String? = nil,
            devices: Devices? = nil,
            showInFolder: (@Sendable (String) async -> Bool)? = nil,
            clock: any Clock<Duration> = ContinuousClock()
        ) {
            self.port = port
            self.listen = listen
            self.hosts = hosts
            self.token = token
            self.devices = devices
            self.showInFolder = showInFolder
            self.clock = clock
        }

        /// The access for other devices in the local network.
        package struct Devices: Sendable {
            /// The port that a server tries first, unless the library used another one before.
            package static let firstPort: UInt16 = 8_440

            /// The port to try first, before the next ones.
            ///
            /// A browser's cookies belong to a port, so a library keeps the previous port.
            package var preferredPort = firstPort
            /// The certificate for encrypted connections, or nil for plain ones.
            package var certificate: ServerCertificate?

            /// Creates the access.
            package init(certificate: ServerCertificate? = nil) {
                self.certificate = certificate
            }
        }
    }

    private enum Phase {
        case ready
        case running([HTTPServer])
        case stopped
    }

    /// The open ports and the token.
    package let sockets: ServerSockets
    private let requestGuard: RequestGuard
    private let tickets: EntryTickets
    private let certificate: ServerCertificate?
    /// The access for other devices, or nil if only this machine can connect.
    let devices: DeviceAccess?
    private let router: Router
    let hub: EventHub
    let activity: ActivityWatch
    private let phase: Lock<Phase>

    /// Opens the ports, unless the configuration has open ones, and reads the page's files.
    ///
    /// Requests wait until `start`.
    ///
    /// - Parameters:
    ///   - library: The library to serve.
    ///   - notifications: The notifications to serve.
    ///   - reports: The reports to serve.
    ///   - household: The machines to list, or nil without a household.
    ///   - configuration: The address, the host names, the token and the clock.
    /// - Throws: `ServerError` of `ServerSockets`, and `.resourcesMissing`.
    package init(
        library: Library,
        notifications: any NotificationService,
        reports: any ReportRecorder,
        household: (any HouseholdService)? = nil,
        configuration: Configuration
    ) throws(ServerError) {
        let hosts = try configuration.hosts.map(Self.checkedHost)
        let folder = try ResourceFolder.find()
        let page = try PageFiles(folder: folder.path + "/Page")
        let sample = try ResourceFiles(folder: folder.path + "/Sample")
        let hub = EventHub(library: library, clock: configuration.clock)
        self.hub = hub
        activity = ActivityWatch(library.messages, clock: configuration.clock)
        // This call comes last, because another step could throw and leak the sockets.
        sockets = if let open = configuration.sockets { open } else { try .init(configuration) }
        devices = try Self.devices(of: library, sockets, configuration)
        certificate = configuration.devices?.certificate
        let tickets = EntryTickets(clock: configuration.clock)
        self.tickets = tickets
        requestGuard = RequestGuard(
            port: sockets.own.port,
            addedHosts: hosts + [sockets.host],
            token: sockets.accessToken,
            tickets: tickets
        )
        router = Router(
            library: library,
            hub: hub,
            notifications: notifications,
            reports: reports,
            activity: activity,
            devices: devices,
            household: household,
            page: page,
            sample: sample,
            entryAddress: { [sockets] in Self.entryAddress(sockets.origin, tickets) },
            showInFolder: configuration.showInFolder
        )
        phase = Lock(.ready)
    }

    deinit {
        if case .ready = phase.withLock({ $0 }) { sockets.close() }
    }

    /// The token that every request must carry.
    package var token: String { sockets.token }

    /// The scheme, host and port for clients on this machine.
    package var origin: String { sockets.origin }

    /// The address of the page, including the token.
    ///
    /// Print the address, but pass it to no other program.
    package var address: String { "\(origin)/?token=\(token)" }

    /// Returns an address that admits one browser within two minutes.
    ///
    /// Other users of the machine can read a program's arguments, so this address does not contain
    /// the token.
    package func entryAddress() -> String { Self.entryAddress(origin, tickets) }

    /// Returns an entry address that opens the target of a response to a notification.
    ///
    /// An address on another machine does not contain a ticket of this machine.
    package func entryAddress(of target: NavigationRequested) -> String {
        if let machine = target.machine {
            return machine.address(playing: target.plays ? target.item : nil)
        }
        guard target.plays, let item = target.item else {
            return "\(entryAddress())#\(target.place.rawValue)"
        }
        return "\(entryAddress())#play-\(item)"
    }

    /// Whether a user looks at a page now.
    package var isInFront: Bool { hub.isInFront }

    /// Starts to respond to requests.
    ///
    /// A second call does nothing.
    ///
    /// - Throws: `ServerError` with `.cannotListen`.
    package func start() throws(ServerError) {
        let isReady = phase.withLock { phase in
            guard case .ready = phase else { return false }
            phase = .stopped
            return true
        }
        guard isReady else { return }
        var servers: [HTTPServer] = []
        if let socket = sockets.devices, let devices {
            do throws(ServerError) {
                let server = try server(
                    on: socket,
                    RequestGuard(devices: devices),
                    certificate
                )
                devices.onRemoval { [weak server] in server?.endStreams() }
                servers.append(server)
            } catch {
                sockets.own.close()
                throw error
            }
        }
        servers.append(try server(on: sockets.own, requestGuard, nil))
        devices?.start()
        hub.start()
        phase.withLock { $0 = .running(servers) }
    }

    private func server(
        on socket: ListeningSocket,
        _ requestGuard: RequestGuard,
        _ certificate: ServerCertificate?
    ) throws(ServerError) -> HTTPServer {
        var router = router
        if requestGuard.isForDevices { router.showInFolder = nil }
        return try HTTPServer(
            on: socket,
            certificate: certificate,
            admit: { requestGuard.immediateResponse(to: $0) },
            respond: { [router] in await router.respond(to: $0).compressed(for: $0) },
            receive: { [router] in router.receiver(for: $0) }
        )
    }

    /// Ends all event streams, finishes the responses in progress and closes the port.
    package func stop() async {
        let phase = phase.withLock { phase in
            defer { phase = .stopped }
            return phase
        }
        hub.stop()
        activity.stop()
        // Each server waits for the responses in progress, and a response may wait for the copy of
        // a film.
        await router.library.stopSounds()
        switch phase {
        case .ready: sockets.close()
        case .running(let servers): for server in servers { await server.stop() }
        case .stopped: break
        }
    }
}

extension OfflineServer {
    /// Returns an address that lets one device of the local network present itself.
    ///
    /// Returns nil without a network or without access for devices.
    package func inviteDevice() -> String? { devices?.invite() }

    /// The address of the page for other machines, or nil without a network or access for devices.
    package var machinePage: MachinePage? { devices?.address.flatMap { MachinePage($0) } }

    /// Returns the access for other devices, or closes the sockets if the devices cannot be read.
    private static func devices(
        of library: Library,
        _ sockets: ServerSockets,
        _ configuration: Configuration
    ) throws(ServerError) -> DeviceAccess? {
        guard let wanted = configuration.devices, let socket = sockets.devices else { return nil }
        do throws(ServerError) {
            return try DeviceAccess(
                library,
                port: socket.port,
                isEncrypted: wanted.certificate != nil,
                clock: configuration.clock
            )
        } catch {
            sockets.close()
            throw error
        }
    }

    private static func entryAddress(_ origin: String, _ tickets: EntryTickets) -> String {
        "\(origin)/?ticket=\(tickets.issue().text)"
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
                "“\(text)” is not a host name. Use the name that browsers show, such as media.lan."
            )
        }
        return text
    }
}
