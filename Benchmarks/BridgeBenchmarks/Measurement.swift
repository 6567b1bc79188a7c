// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Tidings
import TidingsBridge
import TidingsNATS

/// One measurement that the command line requests.
struct Measurement {
    private enum Mode: String {
        /// Posts messages to the outbox, connects, and prints the seconds until the outbox is
        /// empty.
        case drain
        /// Prints the seconds to read the stream with the transport alone.
        case read
        /// Prints the seconds to read the stream with handlers and stored positions.
        case handle
        /// Prints the microseconds of a transient post on the thread of the poster.
        case transient
        /// Prints the microseconds of a durable post while several threads post.
        case durable
        /// Prints the median microseconds from a post to the handler of another bridge.
        case latency
        /// Posts while the server is away, and prints a line when the message has arrived.
        case resume
        /// Prints the KiB in memory after a quarter of the messages and after all messages.
        case memory
    }

    private let mode: Mode
    private let address: String
    private let space: String
    private let count: Int
    private let number: Int

    init?(_ words: [String]) {
        guard let mode = Mode(rawValue: words[1]), let count = Int(words[4]) else { return nil }
        (self.mode, address, space, self.count) = (mode, words[2], words[3], count)
        number = words.count > 5 ? Int(words[5]) ?? 0 : 0
    }

    func run() async throws {
        switch mode {
        case .drain: try await drain()
        case .read: try await read()
        case .handle: try await handle()
        case .transient: try await postTransient()
        case .durable: try await postDurable()
        case .latency: try await measureLatency()
        case .resume: try await resume()
        case .memory: try await measureMemory()
        }
    }

    private func drain() async throws {
        let station = Station(address, space: space) {
            Crossing(DurableSample.self, .durable, .outgoing)
        }
        try await station.bridge.start()
        for row in 1...count {
            let lane = number > 0 ? row % number : nil
            station.center.post(DurableSample(number: row, lane: lane))
        }
        let begin = ContinuousClock.now
        station.gate.open()
        await station.wait { $0.outboxCount == 0 }
        show((ContinuousClock.now - begin) / .seconds(1))
        try await station.bridge.close(within: .zero)
    }

    private func read() async throws {
        let begin = ContinuousClock.now
        let connection = try await NATSTransport(address).connect(to: space, epoch: 1)
        let reader = try await connection.read(from: .beginning, SubjectFilter("\(space).>"))
        var last: UInt64 = 0
        while last < count {
            for frame in try await reader.next(atMost: number) {
                guard frame.sequence == last + 1, frame.frame.headers.id != nil else {
                    fatalError("frame \(frame.sequence) follows \(last)")
                }
                last = frame.sequence
            }
        }
        show((ContinuousClock.now - begin) / .seconds(1))
        connection.close()
    }

    private func handle() async throws {
        let station = Station(address, space: space) {
            Crossing(DurableSample.self, .durable, .incoming(from: .beginning))
        }
        let counter = Counter(goal: count)
        let token = station.center.observe(DurableSample.self) { _ in counter.add() }
        let begin = ContinuousClock.now
        station.gate.open()
        try await station.bridge.start()
        counter.wait()
        show((ContinuousClock.now - begin) / .seconds(1))
        token.cancel()
        try await station.bridge.close(within: .seconds(5))
    }

    private func postTransient() async throws {
        let station = Station(address, space: space) {
            Crossing(TransientSample.self, .transient, .outgoing)
        }
        station.gate.open()
        try await station.bridge.start()
        await station.wait { $0.isConnected }
        // The queue can hold a batch, so no message is dropped. A pause follows to send the batch.
        var times: [Double] = []
        for _ in 0..<max(count / 1_000, 1) {
            let begin = ContinuousClock.now
            for number in 0..<1_000 { station.center.post(TransientSample(number: number)) }
            times.append((ContinuousClock.now - begin) / .microseconds(1) / 1_000)
            try await Task.sleep(for: .milliseconds(30))
        }
        await station.wait { $0.isConnected }
        let losses = station.bridge.status.lastData?.transientLosses ?? 0
        guard losses == 0 else { fatalError("\(losses) messages were lost") }
        show(median(times))
        try await station.bridge.close(within: .seconds(5))
    }

    private func postDurable() async throws {
        let station = Station(address, space: space) {
            Crossing(DurableSample.self, .durable, .outgoing)
        }
        try await station.bridge.start()
        let each = count / number
        let begin = ContinuousClock.now
        await withTaskGroup { group in
            for _ in 0..<number {
                group.addTask {
                    await onThread {
                        for row in 0..<each { station.center.post(DurableSample(number: row)) }
                    }
                }
            }
        }
        show((ContinuousClock.now - begin) / .microseconds(1) / Double(each * number))
        try await station.bridge.close(within: .zero)
    }

    private func pair() async throws -> (Station, Station) {
        let sender = Station(address, space: space) {
            Crossing(DurableSample.self, .durable, .outgoing)
        }
        let receiver = Station(address, space: space) {
            Crossing(DurableSample.self, .durable, .incoming)
        }
        for station in [sender, receiver] {
            station.gate.open()
            try await station.bridge.start()
        }
        await receiver.wait { $0.isConnected }
        await sender.wait { $0.isConnected }
        return (sender, receiver)
    }

    private func measureLatency() async throws {
        let (sender, receiver) = try await pair()
        let arrival = DispatchSemaphore(value: 0)
        let end = Mutex(ContinuousClock.now)
        let token = receiver.center.observe(DurableSample.self) { _ in
            end.withLock { $0 = .now }
            arrival.signal()
        }
        let times = await Task.detached { [count] in
            await onThread {
                (0..<count).map { number in
                    let begin = ContinuousClock.now
                    sender.center.post(DurableSample(number: number))
                    arrival.wait()
                    return (end.withLock { $0 } - begin) / .microseconds(1)
                }
            }
        }.value
        show(median(times))
        token.cancel()
        try await sender.bridge.close(within: .seconds(5))
        try await receiver.bridge.close(within: .seconds(5))
    }

    private func resume() async throws {
        let (sender, receiver) = try await pair()
        let arrivals = AsyncStream<Void>.makeStream()
        let token = receiver.center.observe(DurableSample.self) { _ in arrivals.continuation.yield()
        }
        show("ready")
        var iterator = arrivals.stream.makeAsyncIterator()
        for number in 1...count {
            await sender.wait { !$0.isConnected }
            await receiver.wait { !$0.isConnected }
            sender.center.post(DurableSample(number: number))
            show("posted")
            await iterator.next()
            show("arrived")
        }
        token.cancel()
    }

    private func measureMemory() async throws {
        let (sender, receiver) = try await pair()
        let quarter = Counter(goal: count / 4)
        let all = Counter(goal: count)
        let token = receiver.center.observe(DurableSample.self) { _ in
            quarter.add()
            all.add()
        }
        let (bridge, count) = (sender.bridge, count)
        let posting = Task {
            for number in 0..<count {
                try await bridge.publish(DurableSample(number: number))
                // The pause keeps the size of the outbox nearly constant.
                if number % 5_000 == 0 { await sender.wait { $0.outboxCount < 1_000 } }
            }
        }
        await onThread { quarter.wait() }
        let first = residentKiB()
        await onThread { all.wait() }
        let second = residentKiB()
        try await posting.value
        show("\(first) \(second)")
        token.cancel()
        try await sender.bridge.close(within: .seconds(5))
        try await receiver.bridge.close(within: .seconds(5))
    }
}

/// Prints immediately, because the parent process waits for the line.
private func show(_ value: some CustomStringConvertible) {
    FileHandle.standardOutput.write(Data("\(value)\n".utf8))
}

private func median(_ values: [Double]) -> Double {
    values.sorted()[values.count / 2]
}

/// Runs blocking code on a separate thread, because the tasks have few threads.
private func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread { continuation.resume(returning: body()) }.start()
    }
}

private func residentKiB() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line.flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") } ?? 0
}
