// SPDX-License-Identifier: Apache-2.0
import Benchmarking
import Dispatch
import Tidings

/// A poster and tasks, each of which reads and counts a separate sequence.
final class FanOut {
    /// Two schedulers decide when a reader runs, so only a longer measurement is stable.
    private static let length = Duration.milliseconds(100)

    private let name: String
    private let readers: Readers
    private let post: (Tick) -> Void

    private init(_ name: String, _ readers: Readers, _ post: @escaping (Tick) -> Void) {
        self.name = name
        self.readers = readers
        self.post = post
    }

    /// The time from the first message until the last reader has read the last message.
    var untilRead: Subject {
        subject("until read") { [self] batch in
            ContinuousClock().measure {
                postAll(batch)
                readers.waitUntilRead()
            }
        }
    }

    /// The processor time of the poster.
    var posting: Subject {
        subject("poster") { [self] batch in
            defer { readers.waitUntilRead() }
            return ProcessorTime.thread.measure { postAll(batch) }
        }
    }

    /// The processor time of the poster and the readers.
    var working: Subject {
        subject("all threads") { [self] batch in
            ProcessorTime.process.measure {
                postAll(batch)
                readers.waitUntilRead()
            }
        }
    }

    private func subject(_ part: String, _ body: @escaping (Int) -> Duration) -> Subject {
        Subject("\(name), \(part)", units: readers.count, length: Self.length, body: body)
    }

    private func postAll(_ batch: Int) {
        for number in 1..<batch { post(Tick(number: number)) }
        post(Tick(number: -batch))
    }
}

extension FanOut {
    /// Returns a center with `count` sequences.
    static func center(_ count: Int) -> FanOut {
        let (center, readers) = (MessageCenter(), Readers(count))
        for _ in 0..<count { readers.read(center.messages(of: Tick.self).values) }
        return FanOut("post to \(count) sequences", readers) { center.post($0) }
    }

    /// Returns `count` streams and a poster that yields to every stream.
    static func streams(_ count: Int) -> FanOut {
        let streams = (0..<count).map { _ in AsyncStream.makeStream(of: Tick.self) }
        let readers = Readers(count)
        for stream in streams { readers.read(stream.stream) }
        // A stream ends when the continuation is released.
        let continuations = streams.map(\.continuation)
        return FanOut("yield to \(count) streams", readers) { tick in
            for continuation in continuations { continuation.yield(tick) }
        }
    }
}

/// Tasks that read and count messages.
///
/// The number of the last message in a batch is the negative size of the batch.
private final class Readers: Sendable {
    let count: Int
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
                guard seen == -tick.number else { fatalError("\(seen) of \(-tick.number) arrived") }
                seen = 0
                done.signal()
            }
        }
    }

    func waitUntilRead() {
        for _ in 0..<count { done.wait() }
    }
}
