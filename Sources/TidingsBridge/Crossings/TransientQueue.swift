// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// The transient messages that wait for the task which encodes and sends them.
final class TransientQueue: Sendable {
    private struct Entry: Sendable {
        let message: OutgoingMessage
        let headers: FrameHeaders
        let subject: String
    }

    private struct State {
        var entries: [Entry] = []
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

    /// Adds a message, or counts it as lost.
    func append(_ message: OutgoingMessage, _ headers: FrameHeaders, to subject: String) {
        let isAdded = state.withLock { state in
            guard state.isOpen, state.entries.count < limit else {
                state.losses += 1
                return false
            }
            state.entries.append(Entry(message: message, headers: headers, subject: subject))
            return true
        }
        if isAdded { signal.raise() }
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
            let frames = entries.compactMap(frame)
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

    private func frame(_ entry: Entry) -> BridgeFrame? {
        guard let body = try? entry.message.encode() else { return nil }
        return BridgeFrame(
            subject: entry.subject,
            headers: entry.headers.withoutLineBreaks,
            body: body
        )
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
