// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing
import TidingsLock
import TidingsTestFixtures

@testable import TidingsHTTP

@Suite(.timeLimit(.minutes(15)))
struct TransferLimitTests {
    private let origin: OriginServer
    private let client = HTTPClient(HTTPClient.Configuration(addressPolicy: .any).patient)

    init() throws { origin = try OriginServer() }

    private func fetch(_ path: String, _ limits: [TransferLimit]) async throws -> Int {
        var request = HTTPRequest(try origin.address(path))
        request.limits = limits
        return try await client.fetch(request, limit: 64 << 20).body.count
    }

    private func seconds(_ work: () async throws -> Void) async rethrows -> Double {
        let begin = ContinuousClock.now
        try await work()
        return (ContinuousClock.now - begin) / .seconds(1)
    }

    @Test(arguments: ["length", "chunked", "close"])
    func o22_aTransferHasTheRateOfItsLimit(framing: String) async throws {
        try await origin.serve(["/a": ["size": 2_000_000, "framing": .text(framing)]])
        let turns = client.engine.loopTurns.load(ordering: .relaxed)
        let seconds = try await seconds {
            let count = try await fetch("/a", [TransferLimit(rate: 1_000_000)])
            #expect(count == 2_000_000)
        }
        // The first turns start immediately.
        #expect(seconds >= 1.8)
        // A turn lasts 25 ms, and the thread does not spin in between.
        #expect(client.engine.loopTurns.load(ordering: .relaxed) - turns < 600)
    }

    @Test func o22_severalTransfersOfSeveralClientsShareALimit() async throws {
        try await origin.serve(["/a": ["size": 500_000]])
        let limit = TransferLimit(rate: 1_000_000)
        let other = HTTPClient(HTTPClient.Configuration(addressPolicy: .any).patient)
        var request = HTTPRequest(try origin.address("/a"))
        request.limits = [limit]
        let seconds = try await seconds {
            let shared = request
            async let third = other.fetch(shared, limit: 64 << 20).body.count
            async let fourth = other.fetch(shared, limit: 64 << 20).body.count
            async let first = fetch("/a", [limit])
            async let second = fetch("/a", [limit])
            let counts = try await [first, second, third, fourth]
            #expect(counts == [500_000, 500_000, 500_000, 500_000])
        }
        #expect(seconds >= 1.8)
        other.close()
    }

    @Test func o22_aNewRateHoldsForARunningTransfer() async throws {
        try await origin.serve(["/a": ["size": 4_000_000]])
        let limit = TransferLimit(rate: 10_000)
        let receiver = CountingReceiver { if $0 >= 16_384 { limit.set(nil) } }
        var request = HTTPRequest(try origin.address("/a"))
        request.limits = [limit]
        // At the first rate, the transfer would exceed the time limit of the suite.
        let transfer = try await client.perform(request, receiver: receiver)
        #expect(transfer.bodyBytes == 4_000_000)
    }

    @Test func ofTwoLimitsTheLowerOneCounts() async throws {
        try await origin.serve(["/a": ["size": 1_000_000]])
        let limits = [TransferLimit(rate: 100_000_000), TransferLimit(rate: 1_000_000)]
        let seconds = try await seconds { _ = try await fetch("/a", limits) }
        #expect(seconds >= 0.8)
    }

    @Test func aWaitingTransferCanBeCancelled() async throws {
        try await origin.serve(["/a": ["size": 4_000_000]])
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let receiver = CountingReceiver { if $0 >= 16_384 { begin.finish() } }
        var request = HTTPRequest(try origin.address("/a"))
        request.limits = [TransferLimit(rate: 16_000)]
        let task = Task { [client, request] in
            try await client.perform(request, receiver: receiver)
        }
        for await _ in begun {}
        task.cancel()
        await #expect(throws: HTTPError.self) { try await task.value }
    }
}

/// Calls a closure with the number of all received bytes.
private final class CountingReceiver: HTTPReceiver {
    private let count = Lock(0)
    private let receive: @Sendable (Int) -> Void

    init(_ receive: @escaping @Sendable (Int) -> Void) { self.receive = receive }

    func receive(_ head: HTTPResponseHead) -> HTTPDecision { .proceed }

    func receive(_ bytes: UnsafeRawBufferPointer) -> HTTPDecision {
        let count = count.withLock { count in
            count += bytes.count
            return count
        }
        receive(count)
        return .proceed
    }
}
