// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The events on their way to one client.
///
/// Any thread offers, the server's thread reads. Nobody waits: what is offered replaces what the
/// client has not read yet (`EventMailbox`).
final class EventStream: Sendable {
    /// What became of an attempt to read.
    enum ReadResult: Equatable {
        case bytes(Int)
        /// Nothing to read; the reader's `pause` has run.
        case empty
        case ended
    }

    private struct State {
        var mailbox = EventMailbox()
        var current: ArraySlice<UInt8> = []
        var resume: (@Sendable () -> Void)?
        var isEnded = false
        var ended: (@Sendable () -> Void)?

        mutating func takeResume() -> (@Sendable () -> Void)? {
            defer { resume = nil }
            return resume
        }
    }

    private let state = Lock(State())

    /// A stream that nobody ever read has ended, too.
    deinit { state.withLock { $0.ended.take() }?() }

    /// Makes an event wait for the client, in place of what it makes obsolete.
    func offer(_ event: ServerEvent) {
        let resume = state.withLock { state -> (@Sendable () -> Void)? in
            guard !state.isEnded else { return nil }
            state.mailbox.put(event)
            return state.takeResume()
        }
        resume?()
    }

    /// Makes events wait before all others; for the beginning, before anybody reads.
    func begin(with events: [ServerEvent]) {
        state.withLock { $0.mailbox.putFirst(events) }
    }

    /// Ends the stream after what the reader already holds; later offers go nowhere.
    func end() {
        let (resume, ended) = state.withLock { state in
            state.isEnded = true
            state.mailbox = EventMailbox()
            return (state.takeResume(), state.ended.take())
        }
        resume?()
        ended?()
    }

    /// Calls `action` when the stream ends, at once if it has.
    func whenEnded(_ action: @escaping @Sendable () -> Void) {
        let isEnded = state.withLock { state in
            if !state.isEnded { state.ended = action }
            return state.isEnded
        }
        if isEnded { action() }
    }

    /// Whether `end` was called.
    var isEnded: Bool { state.withLock(\.isEnded) }

    /// Copies waiting bytes into `buffer`.
    ///
    /// When there are none, `pause` runs before any other thread can offer, and `resume` once,
    /// from the thread of the next offer or end. `pause` runs under this stream's lock: it must do
    /// no more than tell the library beneath that the connection waits.
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
                    guard let bytes = state.mailbox.next() else { break }
                    state.current = bytes[...]
                }
                let piece = state.current.prefix(buffer.count - filled)
                UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).copyBytes(from: piece)
                state.current = state.current.dropFirst(piece.count)
                filled += piece.count
            }
            if filled > 0 { return .bytes(filled) }
            state.resume = resume
            pause()
            return .empty
        }
    }
}
