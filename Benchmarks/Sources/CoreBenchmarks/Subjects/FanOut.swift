// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Tidings

/// Tasks that read a sequence of their own and count.
///
/// A batch ends with a tick whose number is the size of the batch, negative.
private final class Readers: Sendable {
    let count: Int
    /// Who reads when is up to two schedulers, and only a longer look is a steady one.
    private static let length = Duration.milliseconds(100)
    private let done = DispatchSemaphore(value: 0)

    init(_ count: Int) {
        self.count = count
    }

    func read<Ticks: AsyncSequence & Sendable>(_ ticks: Ticks)
    where Ticks.Element == Tick, Ticks.Failure == Never {
        Task.detached { [done] in
            var seen = 0
            for await tick in ticks {
                seen += 1
                guard tick.number < 0 else { continue }
                guard seen == -tick.number else { fatalError("\(seen) of \(-tick.number) came") }
                seen = 0
                done.signal()
            }
        }
    }

    /// The ticks of a batch, and how long `body` takes with all of them.
    func time(_ batch: Int, _ body: (Tick) -> Void) -> Duration {
        ContinuousClock().measure {
            for number in 1..<batch { body(Tick(number: number)) }
            body(Tick(number: -batch))
        }
    }

    func waitUntilRead() {
        for _ in 0..<count { done.wait() }
    }
}

extension Readers {
    /// From the first post until the last reader has read the last message.
    func untilRead(_ name: String, _ body: @escaping (Tick) -> Void) -> Subject {
        Subject("\(name), until read", units: count, length: Self.length) { [self] batch in
            let posting = time(batch, body)
            return posting + ContinuousClock().measure { waitUntilRead() }
        }
    }

    /// The poster's part of that.
    func posting(_ name: String, _ body: @escaping (Tick) -> Void) -> Subject {
        Subject("\(name), poster", units: count, length: Self.length) { [self] batch in
            defer { waitUntilRead() }
            return time(batch, body)
        }
    }
}

/// A center with sequences.
final class SequenceFanOut {
    private let center = MessageCenter()
    private let readers: Readers

    init(_ count: Int) {
        readers = Readers(count)
        for _ in 0..<count { readers.read(center.messages(of: Tick.self)) }
    }

    var untilRead: Subject {
        readers.untilRead("post to \(readers.count) sequences") { [center] in center.post($0) }
    }

    var posting: Subject {
        readers.posting("post to \(readers.count) sequences") { [center] in center.post($0) }
    }
}

/// Streams, and a yield to each of them.
final class StreamFanOut {
    private let continuations: [AsyncStream<Tick>.Continuation]
    private let readers: Readers

    init(_ count: Int) {
        let streams = (0..<count).map { _ in AsyncStream.makeStream(of: Tick.self) }
        continuations = streams.map(\.continuation)
        readers = Readers(count)
        for stream in streams { readers.read(stream.stream) }
    }

    deinit {
        for continuation in continuations { continuation.finish() }
    }

    var untilRead: Subject {
        readers.untilRead("yield to \(readers.count) streams") { [self] in yield($0) }
    }

    var posting: Subject {
        readers.posting("yield to \(readers.count) streams") { [self] in yield($0) }
    }

    @inline(never)
    private func yield(_ tick: Tick) {
        for continuation in continuations { continuation.yield(tick) }
    }
}
