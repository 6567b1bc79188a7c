// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsBridgeTesting
import TidingsLock

@testable import TidingsBridge
@testable import TidingsBridgeTesting

/// One process of a schedule from its start to its end.
final class ScheduledProcess: Sendable {
    let life: Life
    let bridge: Bridge
    let folder: TemporaryFolder
    let center = MessageCenter()
    private let transport: CuttableTransport
    private let token: ObservationToken
    /// The queue that is kept beyond the end because of the counted losses.
    private let transient = Lock<TransientQueue?>(nil)

    init(
        _ schedule: FaultSchedule,
        _ server: InMemoryServer,
        _ traffic: some ScheduledTraffic,
        _ life: Life,
        folder: TemporaryFolder = TemporaryFolder()
    ) {
        self.life = life
        self.folder = folder
        transport = CuttableTransport(server.transport()) { traffic.connected(life, over: $0) }
        let (crossing, handlers) = traffic.join(life, on: center)
        bridge = Bridge(
            center: center,
            space: "shop",
            transport: transport,
            storage: folder.path,
            options: schedule.options
        ) { crossing }
        let changes = bridge.status.states.observe { _ in traffic.changed.raise() }
        token = ObservationToken(combining: [handlers, changes])
    }

    func start() async throws {
        try await bridge.start()
        transient.withLock { $0 = bridge.engine?.parts.transient }
    }

    /// Whether the bridge takes new posts.
    var isRunning: Bool { bridge.engine != nil }

    /// Whether the bridge receives over a connection that the server still has.
    var isConnected: Bool {
        guard let status = bridge.status.lastData else { return false }
        return status.isConnected && transport.hasConnection(epoch: status.epoch)
    }

    /// The losses that the bridge counts.
    var transientLosses: TransientHistory.Losses {
        let all = bridge.status.lastData?.transientLosses ?? 0
        let out = transient.withLock { $0?.losses } ?? 0
        return TransientHistory.Losses(out: out, back: max(all - out, 0))
    }

    /// Whether the server has acknowledged all posts.
    var outboxIsEmpty: Bool {
        bridge.engine?.parts.storage.figures.withLock { $0.rows } == 0
    }

    /// Returns the numbers of the dead letters with their causes.
    func deadNotes() throws -> [(number: Int, cause: String)] {
        // The status is cheaper to read than the storage.
        guard bridge.engine?.parts.storage.letterFigures.withLock({ $0.count }) != 0 else {
            return []
        }
        return try bridge.deadLetters().map { letter in
            (try letter.frame.note.number, letter.cause)
        }
    }

    /// Ends the connection, as a lost link does.
    func cutConnection() { transport.cutConnection() }

    /// Cuts this process off and returns the storage as a kill at this moment leaves it.
    ///
    /// - Parameter died: Called while nothing is committed. No later effect of this process counts.
    /// - Returns: A copy of the storage.
    /// - Throws: The error of the storage or of the copy.
    func kill(_ died: () -> Void) throws -> TemporaryFolder {
        let copy = TemporaryFolder()
        let files = FileManager.default
        try files.createDirectory(atPath: copy.path, withIntermediateDirectories: true)
        guard let storage = bridge.engine?.parts.storage else { return copy }
        try storage.connection.withLock { _ in
            died()
            transport.cut()
            for name in ["bridge.sqlite", "bridge.sqlite-wal"] {
                let source = folder.path + "/" + name
                try files.copyItem(atPath: source, toPath: copy.path + "/" + name)
            }
        }
        return copy
    }
}

/// A transport that connects until the process is cut off.
private final class CuttableTransport: BridgeTransport {
    private struct State {
        var isCut = false
        var connection: InMemoryConnection?
        var epoch = 0
    }

    private let base: InMemoryTransport
    private let didConnect: @Sendable (Int) -> Void
    private let state = Lock(State())

    init(_ base: InMemoryTransport, didConnect: @escaping @Sendable (Int) -> Void) {
        self.base = base
        self.didConnect = didConnect
    }

    func connect(
        to space: String,
        epoch: Int
    ) async throws(TransportError) -> any BridgeConnection {
        let connection = try await base.connect(to: space, epoch: epoch)
        let isCut = state.withLock { state in
            state.connection = connection as? InMemoryConnection
            state.epoch = epoch
            return state.isCut
        }
        guard !isCut else {
            connection.close()
            throw TransportError(.unreachable, "The process is dead.")
        }
        if let connection = connection as? InMemoryConnection { didConnect(connection.number) }
        return connection
    }

    /// Whether an attempt is the newest one and has a connection that has not ended.
    func hasConnection(epoch: Int) -> Bool {
        let state = state.withLock { $0 }
        guard state.epoch == epoch, let connection = state.connection else { return false }
        return (try? connection.check()) != nil
    }

    /// Ends the connection for good.
    func cut() {
        state.withLock { $0.isCut = true }
        cutConnection()
    }

    func cutConnection() {
        state.withLock { $0.connection }?.close()
    }
}
