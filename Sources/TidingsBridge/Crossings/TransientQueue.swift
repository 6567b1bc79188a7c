// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// A transient message, whose frame the sending task makes, so that the poster does not wait.
struct TransientDraft: Sendable {
    let message: AnyBridgedMessage
    let space: Space
    let origin: String
    /// The id, or nil for a new message that no other bridge carries.
    var id: String?
    var hops = 1
    var trace: String?

    /// Returns the frame, or nil if the message cannot be encoded.
    func frame() -> BridgeFrame? {
        guard let body = try? message.encode() else { return nil }
        let id = id ?? Self.makeID(origin: origin)
        let headers = message.headers(origin: origin, id: id, hops: hops, trace: trace)
        return BridgeFrame(
            subject: space.transient(message.name, key: message.key),
            headers: headers.withoutLineBreaks,
            body: body
        )
    }

    /// Returns an id for a new message.
    static func makeID(origin: String) -> String {
        "\(origin)-t\(UInt64.random(in: .min ... .max))"
    }
}

/// The transient messages that wait for the sending task.
final class TransientQueue: Sendable {
    private struct State {
        var entries: [TransientDraft] = []
        var isOpen = false
        var losses = 0
    }

    private let limit: Int
    private let state = Lock(State())
    private let signal = WakeSignal()

    init(limit: Int) {
        self.limit = limit
    }

    /// The messages that were lost because there was no connection, no room or no encoding.
    var losses: Int { state.withLock { $0.losses } }

    /// Adds a message, or counts the message as lost.
    func append(_ draft: TransientDraft) {
        let isFirst = state.withLock { state in
            guard state.isOpen, state.entries.count < limit else {
                state.losses += 1
                return false
            }
            state.entries.append(draft)
            return state.entries.count == 1
        }
        // The task takes all entries, so only the first entry wakes the task.
        if isFirst { signal.raise() }
    }

    /// Takes messages from now on, because there is a connection.
    func open() {
        state.withLock { $0.isOpen = true }
    }

    /// Sends until the connection ends or the task is cancelled.
    func run(over connection: any BridgeConnection) async throws(TransportError) {
        defer { close() }
        while !Task.isCancelled {
            let entries = state.withLock { state in
                defer { state.entries = [] }
                return state.entries
            }
            guard !entries.isEmpty else {
                await signal.wait()
                continue
            }
            let frames = entries.compactMap { $0.frame() }
            let lost = entries.count - frames.count
            if lost > 0 { state.withLock { $0.losses += lost } }
            do throws(TransportError) {
                try await connection.send(frames)
            } catch {
                state.withLock { $0.losses += frames.count }
                throw error
            }
        }
    }

    private func close() {
        let dropped = state.withLock { state in
            state.isOpen = false
            state.losses += state.entries.count
            defer { state.entries = [] }
            return state.entries
        }
        withExtendedLifetime(dropped) {}
    }
}
