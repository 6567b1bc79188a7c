// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsBridgeTesting
import TidingsLock

@testable import TidingsBridge

struct ScheduledNote: BridgedMessage {
    static let wireName: WireName = "notes.taken"
    let number: Int
    let origin: Int
    let key: String?
    var orderingKey: String? { key }
}

private struct ScheduledFailure: Error {}

/// One process of a schedule from its start to its end.
final class ScheduledProcess: Sendable {
    let bridge: Bridge
    let folder: TemporaryFolder
    /// How often its predecessors were killed.
    let life: Int
    private let transport: CuttableTransport
    private let center = MessageCenter()
    private let token: ObservationToken

    /// Makes a process that calls `handle` with each message, and whether it is an own one that
    /// came back; `handle` returns whether the handler throws.
    init(
        _ schedule: FaultSchedule,
        _ server: InMemoryServer,
        _ index: Int,
        life: Int,
        folder: TemporaryFolder,
        handle: @escaping @Sendable (_ number: Int, _ isOwn: Bool) -> Bool
    ) {
        var options = BridgeOptions.quick
        options.window = schedule.window
        options.acknowledgementDeadline = .milliseconds(20)
        options.retry.attempts = FaultSchedule.attempts
        options.retry.keepsOrder = schedule.keepsOrder
        self.folder = folder
        self.life = life
        transport = CuttableTransport(server.transport())
        bridge = Bridge(
            center: center,
            space: "shop",
            transport: transport,
            storage: folder.path,
            options: options
        ) { Crossing(ScheduledNote.self, .durable, .both(from: .beginning)) }
        token = center.messages(of: ScheduledNote.self).observe { note in
            // The post itself delivers without an envelope.
            let isOwn = note.origin == index
            if isOwn, BridgeEnvelope.current == nil { return }
            if handle(note.number, isOwn) { throw ScheduledFailure() }
        }
    }

    /// Cuts this process off and returns its storage as a kill at this moment leaves it.
    ///
    /// - Parameter died: Called while nothing is committed; no later effect of this process counts.
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

/// Connects until it is cut.
private final class CuttableTransport: BridgeTransport {
    private struct State {
        var isCut = false
        var connection: (any BridgeConnection)?
    }

    private let base: InMemoryTransport
    private let state = Lock(State())

    init(_ base: InMemoryTransport) {
        self.base = base
    }

    func connect(
        to space: String,
        epoch: Int
    ) async throws(TransportError) -> any BridgeConnection {
        let connection = try await base.connect(to: space, epoch: epoch)
        let isCut = state.withLock { state in
            state.connection = connection
            return state.isCut
        }
        guard !isCut else {
            connection.close()
            throw TransportError(.unreachable, "The process is dead.")
        }
        return connection
    }

    func cut() {
        let connection = state.withLock { state in
            state.isCut = true
            return state.connection
        }
        connection?.close()
    }
}
