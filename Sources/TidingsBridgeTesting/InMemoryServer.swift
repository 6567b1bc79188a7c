// SPDX-License-Identifier: Apache-2.0
import Tidings
public import TidingsBridge
import TidingsLock
import TidingsTesting

/// A server for bridges in the memory of a test, with faults on command.
///
/// Bridges of one test that share a server reach each other. A fault lasts until the test ends the
/// fault. Nothing is timed, except the work limit of shared groups, which `clock` measures.
///
/// ```swift
/// let server = InMemoryServer()
/// let desk = Bridge(center: one, space: "shop", transport: server.transport(), storage: folder)
/// server.isDown = true  // connections end, and none can be made
/// ```
public final class InMemoryServer: Sendable {
    let state: Lock<ServerState>
    /// The counter of work extensions, for tests that wait.
    let extensions = WaitableCounter()
    /// The time that measures the work limit of shared groups.
    let time: Timeline

    /// Creates a server without streams.
    ///
    /// - Parameters:
    ///   - guarantees: The guarantees that connections report.
    ///   - clock: The clock for the work limit of shared groups and for the pause before a retry.
    public init(
        guarantees: TransportGuarantees = TransportGuarantees(
            acknowledgement: .synced,
            largestFrame: 1 << 20,
            duplicateWindow: .seconds(120)
        ),
        clock: some Clock<Duration> = ContinuousClock()
    ) {
        state = Lock(ServerState(guarantees: guarantees))
        time = Timeline(clock)
    }

    /// Returns a transport to this server.
    public func transport() -> InMemoryTransport {
        InMemoryTransport(server: self)
    }

    /// Whether the server is down, so that all connections have ended and none can be made.
    public var isDown: Bool {
        get { state.withLock { $0.isDown } }
        set {
            state.withLock { $0.isDown = newValue }
            if newValue { endConnections() }
        }
    }

    /// Whether the server stores frames without acknowledgements, as over a link with losses.
    ///
    /// Acknowledgements that were due in this time never arrive.
    public var withholdsAcknowledgements: Bool {
        get { state.withLock { $0.withholdsAcknowledgements } }
        set { state.withLock { $0.withholdsAcknowledgements = newValue } }
    }

    /// Whether the server ignores published frames without a word, as with a full disk.
    public var ignoresFrames: Bool {
        get { state.withLock { $0.ignoresFrames } }
        set { state.withLock { $0.ignoresFrames = newValue } }
    }

    /// Sets a closure that answers a frame in place of storing the frame.
    ///
    /// If the closure is nil or returns nil, the server stores the frame. The closure is called
    /// under the lock of the server and must not use the server.
    public func refuse(_ decide: (@Sendable (BridgeFrame) -> TransportError?)?) {
        state.withLock { $0.refusal = decide }
    }

    /// Ends all connections, after which new connections can be made immediately.
    public func endConnections() {
        let connections = state.withLock { state in
            defer { state.connections = [:] }
            return state.connections.values.compactMap(\.connection)
        }
        for connection in connections {
            connection.end(TransportError(.lost, "The server has ended the connection."))
        }
    }

    /// Removes the stream of a space, with all frames, and makes an empty one.
    public func remakeStream(of space: String) {
        change(space) { $0.remake() }
    }

    /// Removes the frames before a sequence, as a limit of the stream does.
    public func removeFrames(before sequence: UInt64, of space: String) {
        change(space) { $0.removeFrames(before: sequence) }
    }

    /// Removes the frames after a sequence, as a power cut of a server that does not sync.
    public func goBack(to sequence: UInt64, in space: String) {
        change(space) { $0.goBack(to: sequence) }
    }

    /// Forgets the ids of stored frames, as the end of the duplicate window does.
    public func forgetIDs(of space: String) {
        change(space) { $0.ids = [:] }
    }

    /// Returns the stored frames of a space.
    public func frames(of space: String) -> [StoredFrame] {
        state.withLock { $0.streams[space]?.frames ?? [] }
    }

    /// The number of connections that were made so far.
    public var connectionCount: Int { state.withLock { $0.lastConnection } }

    private func change(_ space: String, _ body: (inout ServerStream) -> Void) {
        endConnections()
        state.withLock { body(&$0.streams[space, default: ServerStream(name: space)]) }
    }

    func wakeReaders(of space: String) {
        let connections = state.withLock { state in
            state.connections.values.filter { $0.space == space }.compactMap(\.connection)
        }
        for connection in connections { connection.wakeReaders() }
    }
}

/// A transport to a server in the memory of a test.
public struct InMemoryTransport: BridgeTransport {
    let server: InMemoryServer

    /// Connects to the server, unless the server is down.
    public func connect(
        to space: String,
        epoch: Int
    ) async throws(TransportError) -> any BridgeConnection {
        let (number, guarantees) = try server.state.withLock {
            (state) throws(TransportError) in
            guard !state.isDown else {
                throw TransportError(.unreachable, "The server is down.")
            }
            state.lastConnection += 1
            if state.streams[space] == nil { state.streams[space] = ServerStream(name: space) }
            return (state.lastConnection, state.guarantees)
        }
        let connection = InMemoryConnection(server, space, number, guarantees)
        server.state.withLock {
            $0.connections[number] = ServerConnection(space: space, connection: connection)
        }
        return connection
    }
}
