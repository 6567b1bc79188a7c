// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsBridge
import TidingsLock
import TidingsTesting

/// A reader of a stream in memory.
final class InMemoryReader: FrameReader {
    private let connection: InMemoryConnection
    private let filter: SubjectFilter
    private let signal = WakeSignal()
    private let id: Int
    private let next: Lock<UInt64>
    private let isClosed = Lock(false)

    init(_ connection: InMemoryConnection, _ filter: SubjectFilter, from sequence: UInt64) {
        self.connection = connection
        self.filter = filter
        next = Lock(sequence)
        id = connection.addReader(signal)
    }

    deinit { close() }

    func next(atMost limit: Int) async throws(TransportError) -> [StoredFrame] {
        while !Task.isCancelled, !isClosed.withLock({ $0 }) {
            try connection.check()
            let from = next.withLock { $0 }
            let (frames, following) = connection.server.state.withLock { state in
                state.streams[connection.space]?.frames(from: from, filter, atMost: limit)
                    ?? ([], from)
            }
            next.withLock { $0 = following }
            if !frames.isEmpty { return frames }
            await signal.wait()
        }
        return []
    }

    func close() {
        isClosed.withLock { $0 = true }
        connection.removeReader(id)
        signal.raise()
    }
}

/// A reader of a shared group in memory.
final class InMemorySharedReader: SharedReader {
    private let connection: InMemoryConnection
    private let key: GroupKey
    private let signal = WakeSignal()
    private let id: Int
    private let isClosed = Lock(false)

    init(_ connection: InMemoryConnection, _ key: GroupKey) {
        self.connection = connection
        self.key = key
        id = connection.addReader(signal)
    }

    deinit { close() }

    func next(atMost limit: Int) async throws(TransportError) -> [SharedFrame] {
        while !Task.isCancelled, !isClosed.withLock({ $0 }) {
            try connection.check()
            let time = connection.server.time
            let now = time.now
            let (frames, wake) = connection.server.state.withLock { state in
                guard let stream = state.streams[key.space], var group = state.groups[key] else {
                    return ([SharedFrame](), nil as Duration?)
                }
                let living = state.connections.compactMapValues(\.connection)
                group.collect(at: now) { living[$0] != nil }
                let frames = group.take(stream, for: connection.number, atMost: limit, at: now)
                state.groups[key] = group
                return (frames, group.nextTime)
            }
            if !frames.isEmpty { return frames }
            await signal.wait(until: wake) { await time.sleep(for: $0 - now) }
        }
        return []
    }

    func acknowledge(_ tickets: [String]) async throws(TransportError) {
        try connection.check()
        connection.server.state.withLock { state in
            for ticket in tickets { state.groups[key]?.work[ticket] = nil }
        }
    }

    func retry(
        _ ticket: String,
        after pause: Duration
    ) async throws(TransportError) {
        try connection.check()
        connection.server.state.withLock { state in
            guard let work = state.groups[key]?.work.removeValue(forKey: ticket) else {
                return
            }
            let time = connection.server.time.now + pause
            state.groups[key]?.returned.append((work.frame, work.attempt + 1, time))
        }
        connection.server.wakeReaders(of: key.space)
    }

    func extend(_ ticket: String) async throws(TransportError) {
        try connection.check()
        let now = connection.server.time.now
        connection.server.state.withLock { state in
            guard let limit = state.groups[key]?.limit else { return }
            state.groups[key]?.work[ticket]?.deadline = now + limit
        }
        connection.server.extensions.add(1)
    }

    func close() {
        isClosed.withLock { $0 = true }
        connection.removeReader(id)
        signal.raise()
    }
}
