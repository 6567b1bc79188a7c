// SPDX-License-Identifier: Apache-2.0
import Benching
import Dispatch
import Tidings

/// Somebody who tells tasks, each of which reads a sequence of its own and counts.
final class FanOut {
    /// Who reads when is up to two schedulers, and only a longer look is a steady one.
    private static let length = Duration.milliseconds(100)

    private let name: String
    private let readers: Readers
    private let tell: (Tick) -> Void

    private init(_ name: String, _ readers: Readers, _ tell: @escaping (Tick) -> Void) {
        self.name = name
        self.readers = readers
        self.tell = tell
    }

    /// From the first message until the last reader has read the last one.
    var untilRead: Subject {
        subject("until read") { [self] batch in
            ContinuousClock().measure {
                tellAll(batch)
                readers.waitUntilRead()
            }
        }
    }

    /// What the poster works for that.
    var posting: Subject {
        subject("poster") { [self] batch in
            defer { readers.waitUntilRead() }
            return ProcessorTime.thread.measure { tellAll(batch) }
        }
    }

    /// What the poster and the readers work for that.
    var working: Subject {
        subject("all threads") { [self] batch in
            ProcessorTime.process.measure {
                tellAll(batch)
                readers.waitUntilRead()
            }
        }
    }

    private func subject(_ part: String, _ body: @escaping (Int) -> Duration) -> Subject {
        Subject("\(name), \(part)", units: readers.count, length: Self.length, body: body)
    }

    private func tellAll(_ batch: Int) {
        for number in 1..<batch { tell(Tick(number: number)) }
        tell(Tick(number: -batch))
    }
}

extension FanOut {
    /// A center with `count` sequences.
    static func center(_ count: Int) -> FanOut {
        let (center, readers) = (MessageCenter(), Readers(count))
        for _ in 0..<count { readers.read(center.messages(of: Tick.self)) }
        return FanOut("post to \(count) sequences", readers) { center.post($0) }
    }

    /// `count` streams, and a yield to each of them.
    static func streams(_ count: Int) -> FanOut {
        let streams = (0..<count).map { _ in AsyncStream.makeStream(of: Tick.self) }
        let readers = Readers(count)
        for stream in streams { readers.read(stream.stream) }
        // A stream ends when its continuation is dropped.
        let continuations = streams.map(\.continuation)
        return FanOut("yield to \(count) streams", readers) { tick in
            for continuation in continuations { continuation.yield(tick) }
        }
    }
}

/// Tasks that read and count.
///
/// A batch ends with a tick whose number is the size of the batch, negative.
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
                guard seen == -tick.number else { fatalError("\(seen) of \(-tick.number) came") }
                seen = 0
                done.signal()
            }
        }
    }

    func waitUntilRead() {
        for _ in 0..<count { done.wait() }
    }
}
