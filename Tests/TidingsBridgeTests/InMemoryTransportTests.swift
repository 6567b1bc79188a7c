// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsBridge
import TidingsBridgeTesting
import TidingsTesting

/// A transport without shared work, whose connections swap the first two frames of each batch.
struct SwappingTransport: BridgeTransport {
    let inner: any BridgeTransport
    /// The reason why no group can be joined, or nil if groups can be joined.
    var refusal: @Sendable () -> TransportError? = { TransportError(.unsupported, "No.") }

    func connect(
        to space: String,
        epoch: Int
    ) async throws(TransportError) -> any BridgeConnection {
        let connection = try await inner.connect(to: space, epoch: epoch)
        return SwappingConnection(inner: connection, refusal: refusal)
    }
}

private struct SwappingConnection: BridgeConnection {
    let inner: any BridgeConnection
    let refusal: @Sendable () -> TransportError?

    var guarantees: TransportGuarantees { inner.guarantees }
    var transientLosses: Int { 0 }

    func publish(_ frames: [PublishedFrame]) async throws(TransportError) {
        guard frames.count > 1 else { return try await inner.publish(frames) }
        var swapped = frames
        swapped[0] = PublishedFrame(row: frames[0].row, frame: frames[1].frame)
        swapped[1] = PublishedFrame(row: frames[1].row, frame: frames[0].frame)
        try await inner.publish(swapped)
    }

    func acknowledgements(
        atMost limit: Int
    ) async throws(TransportError) -> [PublishAcknowledgement] {
        try await inner.acknowledgements(atMost: limit)
    }

    func stream() async throws(TransportError) -> StreamState { try await inner.stream() }

    func frame(at sequence: UInt64) async throws(TransportError) -> StoredFrame? {
        try await inner.frame(at: sequence)
    }

    func newestFrame(of subject: String) async throws(TransportError) -> StoredFrame? {
        try await inner.newestFrame(of: subject)
    }

    func read(
        from start: StreamStart,
        _ filter: SubjectFilter
    ) async throws(TransportError) -> any FrameReader<StoredFrame> {
        try await inner.read(from: start, filter)
    }

    func share(_ group: SharedGroup) async throws(TransportError) -> any SharedReader {
        if let refusal = refusal() { throw refusal }
        return try await inner.share(group)
    }

    func send(_ frames: [BridgeFrame]) async throws(TransportError) { try await inner.send(frames) }

    func subscribe(
        to filter: SubjectFilter,
        group: String?
    ) async throws(TransportError) -> any FrameReader<BridgeFrame> {
        try await inner.subscribe(to: filter, group: group)
    }

    func close() { inner.close() }
}

@Suite(.timeLimit(.minutes(15)))
struct InMemoryTransportTests {
    @Test(arguments: BridgeTransportContract.attempts)
    func keepsTheContract(_ attempt: BridgeTransportContract.Attempt) async throws {
        let contract = BridgeTransportContract(features: .all) { InMemoryServer().transport() }
        try await contract.check(attempt)
    }

    @Test func theContractNoticesATransportThatReorders() async throws {
        let contract = BridgeTransportContract(features: .all) {
            SwappingTransport(inner: InMemoryServer().transport())
        }
        let error = await #expect(throws: TidingsTestingError.self) {
            try await contract.check(.publishedFramesAreReadInOrder)
        }
        #expect(error?.code == .brokenPromise)
    }
}
