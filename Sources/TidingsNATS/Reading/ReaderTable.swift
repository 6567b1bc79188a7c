// SPDX-License-Identifier: Apache-2.0
#if NATS
internal import TidingsBridge
import TidingsLock

/// The open readers of one connection.
final class ReaderTable: Sendable {
    /// The functions of a reader that the connection uses.
    struct Entry: Sendable {
        /// The subject to which the reader has subscribed.
        var subject: String
        /// Ends the reader.
        var finish: @Sendable (TransportError) -> Void
        /// The number of frames that the reader had to drop.
        var losses: @Sendable () -> Int = { 0 }
        /// Whether the server owes the reader a sign of life.
        var isSilent: @Sendable (ContinuousClock.Instant) -> Bool = { _ in false }
    }

    private struct State {
        var last = 0
        var entries: [Int: Entry] = [:]
        var lossesOfClosed = 0
    }

    private let state = Lock(State())

    /// The number of frames that all readers, including closed readers, had to drop.
    var losses: Int {
        let (closed, entries) = state.withLock { ($0.lossesOfClosed, $0.entries) }
        return entries.values.reduce(closed) { $0 + $1.losses() }
    }

    /// Adds a reader and returns a number for it.
    func add(_ entry: Entry) -> Int {
        state.withLock { state in
            state.last += 1
            state.entries[state.last] = entry
            return state.last
        }
    }

    /// Removes a reader, whose losses still count.
    func remove(_ number: Int) {
        guard let entry = state.withLock({ $0.entries.removeValue(forKey: number) }) else { return }
        let losses = entry.losses()
        state.withLock { $0.lossesOfClosed += losses }
    }

    /// Whether the server has been silent for too long.
    func isSilent(at time: ContinuousClock.Instant) -> Bool {
        state.withLock { $0.entries }.values.contains { $0.isSilent(time) }
    }

    /// Ends the readers of a subject that the server refuses, or returns false without such
    /// readers.
    func refuse(_ subject: String, _ error: TransportError) -> Bool {
        let refused = state.withLock { $0.entries }.values.filter { $0.subject == subject }
        for entry in refused { entry.finish(error) }
        return !refused.isEmpty
    }

    /// Ends all readers.
    func finishAll(_ reason: TransportError) {
        for entry in state.withLock({ $0.entries }).values { entry.finish(reason) }
    }
}
#endif
