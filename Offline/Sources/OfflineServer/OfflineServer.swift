// SPDX-License-Identifier: Apache-2.0
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

        /// The port to listen on; nil selects 8420, or the next free port.
        package var port: UInt16?
        /// The numeric address to listen on.
        package var listen: String
        /// Host names, besides the loopback names, that a request may address.
        package var hosts: [String]
        /// The token that every request must carry; nil generates a random one.
        package var token: String?
        /// The access of other devices in the local network; nil for none.
        package var devices: Devices?
        /// Shows a file in the file manager, and returns whether it could; nil without a desktop.
        package var showInFolder: (@Sendable (String) async -> Bool)?
        /// The clock for keep-alive comments and for the expiry of entry tickets.
        package var clock: any Clock<Duration>

        /// Creates a configuration; the default one listens on the loopback address.
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

        /// The access of other devices in the local network.
        package struct Devices: Sendable {
            /// The port that a server tries first.
            package static let firstPort: UInt16 = 8_440

            /// The port to try first, and then the next ones: cookies of devices belong to a port,
            /// so a library stays at the one that it had.
            package var preferredPort = firstPort
            /// The certificate for encrypted connections; nil for plain ones.
            package var certificate: ServerCertificate?

            /// Creates the access.
            package init(certificate: ServerCertificate? = nil) {
                self.certificate = certificate
            }
        }
    }

    /// The sockets of this machine and of other devices, before their servers start.
    private struct Sockets {
        var own: ListeningSocket
        var devices: ListeningSocket?

        func close() {
            own.close()
            devices?.close()
        }
    }

    private enum Phase {
        case ready(Sockets)
        case running([HTTPServer])
        case stopped
    }

    /// The token that every request must carry.
    package let token: String
    /// The scheme, host and port for clients on this machine.
    package let origin: String
    private let requestGuard: RequestGuard
    private let tickets: EntryTickets
    private let certificate: ServerCertificate?
    /// The access of other devices; nil if only this machine can connect.
    let devices: DeviceAccess?
    private let router: Router
    let hub: EventHub
    let activity: ActivityWatch
    private let phase: Lock<Phase>

    /// Opens the port and reads the page's files; requests wait until `start`.
    ///
    /// - Parameters:
    ///   - library: The library to serve.
    ///   - notifications: The notifications to serve.
    ///   - reports: The reports to serve.
    ///   - household: The machines to list; nil without a household.
    ///   - configuration: The address, the host names, the token and the clock.
    /// - Throws: `ServerError`: `.portTaken` if `configuration.port` is in use,
    ///   `.badConfiguration`, `.cannotListen`, `.resourcesMissing`.
    package init(
        library: Library,
        notifications: any NotificationService,
        reports: any ReportRecorder,
        household: (any HouseholdService)? = nil,
        configuration: Configuration
    ) throws(ServerError) {
        let token = try Self.token(configuration.token)
        let hosts = try configuration.hosts.map(Self.checkedHost)
        let folder = try ResourceFolder.find()
        let page = try PageFiles(folder: folder.path + "/Page")
        let sample = try ResourceFiles(folder: folder.path + "/Sample")
        let hub = EventHub(library: library, clock: configuration.clock)
        self.hub = hub
        activity = ActivityWatch(library.messages, clock: configuration.clock)
        // Opened last: no later step can throw and leak the socket.
        let socket = try ListeningSocket.open(
            on: configuration.listen,
            port: configuration.port,
            preferred: Configuration.preferredPort
        )
        let sockets: Sockets
        (sockets, devices) = try Self.withDevices(socket, library, configuration)
        certificate = configuration.devices?.certificate
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
            notifications: notifications,
            reports: reports,
            activity: activity,
            devices: devices,
            household: household,
            page: page,
            sample: sample,
            entryAddress: { [origin] in Self.entryAddress(origin, tickets) },
            showInFolder: configuration.showInFolder
        )
        phase = Lock(.ready(sockets))
    }

    deinit {
        if case .ready(let sockets) = phase.withLock({ $0 }) { sockets.close() }
    }

    /// The address of the page with the token; print it, but pass it to no other program.
    package var address: String { "\(origin)/?token=\(token)" }

    /// Returns an address that admits one browser within two minutes.
    ///
    /// Other users of the machine can read a program's arguments, so this address does not contain
    /// the token.
    package func entryAddress() -> String { Self.entryAddress(origin, tickets) }

    /// Returns an entry address that opens the target of a notification's response.
    ///
    /// The page of another machine gets no ticket of this one.
    package func entryAddress(of target: NavigationRequested) -> String {
        if let machine = target.machine {
            return machine.address(playing: target.plays ? target.item : nil)
        }
        guard target.plays, let item = target.item else {
            return "\(entryAddress())#\(target.place.rawValue)"
        }
        return "\(entryAddress())#play-\(item)"
    }

    /// Whether a person looks at a page now.
    package var isInFront: Bool { hub.isInFront }

    /// The address of the sample stream; requests need the header `Authorization: Bearer TOKEN`.
    package var sampleAddress: String { "\(origin)/sample/sample.m3u8" }

    /// Starts to respond to requests; a second call does nothing.
    ///
    /// - Throws: `ServerError` with `.cannotListen`.
    package func start() throws(ServerError) {
        let ready = phase.withLock { phase -> Sockets? in
            guard case .ready(let sockets) = phase else { return nil }
            phase = .stopped
            return sockets
        }
        guard let ready else { return }
        var servers: [HTTPServer] = []
        if let socket = ready.devices, let devices {
            do throws(ServerError) {
                let server = try server(
                    on: socket,
                    RequestGuard(devices: devices),
                    certificate
                )
                devices.onRemoval { [weak server] in server?.endStreams() }
                servers.append(server)
            } catch {
                ready.own.close()
                throw error
            }
        }
        servers.append(try server(on: ready.own, requestGuard, nil))
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
        // The servers wait for their responses, and one may wait for a copy of a film.
        await router.library.stopSounds()
        switch phase {
        case .ready(let sockets): sockets.close()
        case .running(let servers): for server in servers { await server.stop() }
        case .stopped: break
        }
    }
}

extension OfflineServer {
    /// Returns an address that lets one device of the local network present itself; nil without a
    /// network or without access for devices.
    package func inviteDevice() -> String? { devices?.invite() }

    /// The address of the page for other machines; nil without a network or access for them.
    package var machinePage: MachinePage? { devices?.address.flatMap { MachinePage($0) } }

    /// The port for other devices; nil without access for them.
    package var devicePort: UInt16? { devices?.port }

    /// Opens the socket for other devices; closes the first one if that fails.
    private static func withDevices(
        _ socket: ListeningSocket,
        _ library: Library,
        _ configuration: Configuration
    ) throws(ServerError) -> (Sockets, DeviceAccess?) {
        guard let wanted = configuration.devices else { return (Sockets(own: socket), nil) }
        do throws(ServerError) {
            let other = try ListeningSocket.open(
                on: "0.0.0.0",
                port: nil,
                preferred: wanted.preferredPort
            )
            let sockets = Sockets(own: socket, devices: other)
            do throws(ServerError) {
                let devices = try DeviceAccess(
                    library,
                    port: other.port,
                    isEncrypted: wanted.certificate != nil,
                    clock: configuration.clock
                )
                return (sockets, devices)
            } catch {
                other.close()
                throw error
            }
        } catch {
            socket.close()
            throw error
        }
    }

    private static func entryAddress(_ origin: String, _ tickets: EntryTickets) -> String {
        "\(origin)/?ticket=\(tickets.issue().text)"
    }

    private static func token(_ text: String?) throws(ServerError) -> AccessToken {
        guard let text else { return .random() }
        guard let token = AccessToken(text) else {
            throw ServerError(
                .badConfiguration,
                "The token is malformed. Use 16 to 256 letters, digits, - or _, or give no token "
                    + "to get a random one."
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
                "“\(text)” is not a host name. Use the name that browsers show, such as media.lan."
            )
        }
        return text
    }

    /// Returns the host under which clients on this machine reach a server on that address.
    private static func ownHost(listen: String) -> String {
        switch listen {
        case "0.0.0.0": "127.0.0.1"
        case "::", "::1": "[::1]"
        default: listen.contains(":") ? "[\(listen)]" : listen
        }
    }
}
