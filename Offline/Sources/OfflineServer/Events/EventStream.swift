// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// The stream of events to one client.
///
/// Any thread may offer an event, and the server's thread reads. Neither thread waits for the
/// other, because a new event supersedes pending events that are obsolete (`EventQueue`).
final class EventStream: Sendable {
    /// The outcome of one read.
    enum ReadResult: Equatable {
        case bytes(Int)
        /// No bytes were pending, and `pause` has run.
        case empty
        case ended
    }

    private struct State {
        var queue = EventQueue()
        var current: ArraySlice<UInt8> = []
        var resume: (@Sendable () -> Void)?
        var isEnded = false
        var ended: (@Sendable () -> Void)?

        mutating func removeResume() -> (@Sendable () -> Void)? {
            defer { resume = nil }
            return resume
        }
    }

    private let state = Lock(State())

    /// Ends a stream that was never read.
    deinit { state.withLock { $0.ended.take() }?() }

    /// Enqueues an event and resumes a paused reader.
    func offer(_ event: ServerEvent) {
        let resume = state.withLock { state -> (@Sendable () -> Void)? in
            guard !state.isEnded else { return nil }
            state.queue.enqueue(event)
            return state.removeResume()
        }
        resume?()
    }

    /// Enqueues the first events before all others.
    ///
    /// Must be called before the first read.
    func begin(with events: [ServerEvent]) {
        state.withLock { $0.queue.prepend(events) }
    }

    /// Ends the stream and drops the pending events.
    ///
    /// Later offers have no effect.
    func end() {
        let (resume, ended) = state.withLock { state in
            state.isEnded = true
            state.queue = EventQueue()
            return (state.removeResume(), state.ended.take())
        }
        resume?()
        ended?()
    }

    /// Sets the closure to call when the stream ends.
    ///
    /// If the stream has ended, calls the closure immediately.
    func onEnd(_ action: @escaping @Sendable () -> Void) {
        let isEnded = state.withLock { state in
            if !state.isEnded { state.ended = action }
            return state.isEnded
        }
        if isEnded { action() }
    }

    /// Whether `end` was called.
    var isEnded: Bool { state.withLock(\.isEnded) }

    /// Copies pending bytes into `buffer`.
    ///
    /// If no bytes are pending, `pause` runs before another thread can offer an event, and `resume`
    /// runs once, on the thread that next offers an event or ends the stream. `pause` runs under
    /// this stream's lock, so the closure may only suspend the connection.
    func read(
        into buffer: UnsafeMutableRawBufferPointer,
        pause: () -> Void,
        resume: @escaping @Sendable () -> Void
    ) -> ReadResult {
        state.withLock { state -> ReadResult in
            if state.isEnded { return .ended }
            var filled = 0
            while filled < buffer.count {
                if state.current.isEmpty {
                    guard let bytes = state.queue.dequeue() else { break }
                    state.current = bytes[...]
                }
                let piece = state.current.prefix(buffer.count - filled)
                UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).copyBytes(from: piece)
                let rest = state.current.dropFirst(piece.count)
                // An empty slice would keep the bytes of the event alive.
                state.current = rest.isEmpty ? [] : rest
                filled += piece.count
            }
            if filled > 0 { return .bytes(filled) }
            state.resume = resume
            pause()
            return .empty
        }
    }
}
