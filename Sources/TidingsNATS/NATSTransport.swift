// SPDX-License-Identifier: Apache-2.0
#if NATS
internal import Dispatch
public import TidingsBridge

/// Carries frames over a NATS server with JetStream, version 2.9 or later.
///
/// Each connection is one connection of the C client, which never reconnects automatically. The
/// first connection creates the stream of a space if the user has the permission.
///
/// ```swift
/// var configuration = NATSConfiguration()
/// configuration.identity = .token(.file("/run/secrets/nats-token"))
/// let transport = NATSTransport("nats://127.0.0.1:4222", configuration)
/// ```
public struct NATSTransport: BridgeTransport {
    private let addresses: [String]
    private let configuration: NATSConfiguration

    /// Creates a transport to one server, such as `nats://127.0.0.1:4222` or `tls://broker`.
    ///
    /// - Parameters:
    ///   - address: The server, without credentials. The port is 4222 unless stated.
    ///   - configuration: The settings.
    public init(_ address: String, _ configuration: NATSConfiguration = NATSConfiguration()) {
        self.init(anyOf: [address], configuration)
    }

    /// Creates a transport to one of several servers of a cluster, tried in random order.
    public init(
        anyOf addresses: [String],
        _ configuration: NATSConfiguration = NATSConfiguration()
    ) {
        self.addresses = addresses
        self.configuration = configuration
    }

    /// Connects to the first server that accepts, and prepares the stream of the space.
    public func connect(
        to space: String,
        epoch: Int
    ) async throws(TransportError) -> any BridgeConnection {
        let servers = try addresses.map { address throws(TransportError) in
            try ServerAddress(address)
        }
        guard FrameForm.isSubject(space), !space.contains(".") else {
            throw TransportError(.malformed, "The space “\(space)” is not a name.")
        }
        var failure = TransportError(.unreachable, "No server is named. Pass an address.")
        for server in servers.shuffled() {
            do throws(TransportError) {
                return try await connect(to: server, space: space, epoch: epoch)
            } catch {
                failure = error
            }
            if Task.isCancelled { break }
        }
        throw failure
    }

    private func connect(
        to server: ServerAddress,
        space: String,
        epoch: Int
    ) async throws(TransportError) -> NATSConnection {
        let settings = try await settings(for: server, epoch: epoch)
        let connection = try await open(settings, space: space)
        do throws(TransportError) {
            try checkCancellation()
            try await connection.prepareStream()
            return connection
        } catch {
            connection.close()
            throw error
        }
    }

    private func checkCancellation() throws(TransportError) {
        if Task.isCancelled { throw TransportError(.closed, "The task was cancelled.") }
    }

    private func settings(
        for server: ServerAddress,
        epoch: Int
    ) async throws(TransportError) -> ClientSettings {
        var settings = ClientSettings(
            host: server.host,
            port: server.port,
            name: "\(configuration.name) \(epoch)",
            connectTimeout: configuration.connectTimeout,
            writeDeadline: configuration.writeDeadline,
            pingInterval: configuration.pingInterval,
            unansweredPings: 2,
            hasEcho: false
        )
        do {
            if let identity = configuration.identity {
                settings.identity = try await ResolvedIdentity(identity)
            }
            let encryption = configuration.encryption ?? (server.isSecure ? .init() : nil)
            if let encryption { settings.tls = try await ResolvedTLS(encryption) }
        } catch {
            // The message omits the error, which may quote the secret.
            throw TransportError(
                .notPermitted,
                "A secret cannot be read. Check its file or closure."
            )
        }
        return settings
    }

    /// Makes the connection on a separate thread, which the library blocks.
    private func open(
        _ settings: ClientSettings,
        space: String
    ) async throws(TransportError) -> NATSConnection {
        let result: Result<NATSConnection, TransportError> =
            await withCheckedContinuation { continuation in
                DispatchQueue(label: "tidings.nats.connect").async { [configuration] in
                    continuation.resume(
                        returning: Result { () throws(TransportError) in
                            try Self.openNow(settings, space: space, configuration)
                        }
                    )
                }
            }
        return try result.get()
    }

    private static func openNow(
        _ settings: ClientSettings,
        space: String,
        _ configuration: NATSConfiguration
    ) throws(TransportError) -> NATSConnection {
        let parts = NATSConnection.Parts()
        let events = ClientEvents(
            ended: { parts.end.end(.lost, "The server or the network has ended the connection.") },
            failed: { parts.receiveFailure($0) }
        )
        let client: ClientConnection
        do throws(ClientFailure) {
            client = try ClientConnection(settings, events: events)
        } catch {
            throw error.transportError(of: settings)
        }
        return try NATSConnection(
            client,
            parts: parts,
            space: space,
            configuration: configuration
        )
    }
}

extension BridgeTransport where Self == NATSTransport {
    /// A NATS server with JetStream, such as `.nats("nats://127.0.0.1:4222")`.
    public static func nats(
        _ address: String,
        _ configuration: NATSConfiguration = NATSConfiguration()
    ) -> NATSTransport {
        NATSTransport(address, configuration)
    }
}

extension ClientFailure {
    /// Returns the error for the bridge, without the library's messages, which may contain secrets.
    fileprivate func transportError(of settings: ClientSettings) -> TransportError {
        let server = "\(settings.host):\(settings.port)"
        return switch self {
        case .authentication:
            TransportError(.notPermitted, "\(server) refuses the credentials. Check them.")
        case .encryption:
            TransportError(
                .notPermitted,
                "\(server) and this program agree on no encryption. Check the certificates."
            )
        case .unreachable, .tooLarge, .timedOut, .closed, .status:
            TransportError(.unreachable, "\(server) cannot be reached. Check that it runs.")
        }
    }
}
#endif
