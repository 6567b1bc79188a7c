// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock

/// Posts the transient messages of one type that arrive.
final class TransientReceiver: Sendable {
    private let inlet: Inlet
    private let storage: BridgeStorage
    private let filter: SubjectFilter
    private let hopLimit: Int
    private let center: ObjectIdentifier
    private let lost = Lock(0)
    private let work = LastingWork()

    init(_ inlet: Inlet, _ parts: EngineParts) {
        self.inlet = inlet
        storage = parts.storage
        filter = parts.space.allTransient(inlet.name)
        hopLimit = parts.options.hopLimit
        center = ObjectIdentifier(parts.center)
    }

    /// The messages that could not be decoded, or whose connection ended while they waited behind a
    /// handler.
    var losses: Int { lost.withLock { $0 } }

    /// Starts to receive over a connection.
    func subscribe(
        over connection: any BridgeConnection
    ) async throws(TransportError) -> any FrameReader<BridgeFrame> {
        try await connection.subscribe(to: filter, group: nil)
    }

    /// Receives until the connection ends or the task is cancelled.
    func run(_ reader: any FrameReader<BridgeFrame>) async throws(TransportError) {
        defer { reader.close() }
        while !Task.isCancelled {
            let frames = try await reader.next(atMost: 256)
            guard !frames.isEmpty else { continue }
            try await work.run {
                for frame in frames { self.take(frame) }
            } orSkip: {
                let count = frames.count { self.isForeign($0) }
                lost.withLock { $0 += count }
            }
        }
    }

    /// Waits for the handlers in progress.
    func finishDelivery() async {
        await work.finish()
    }

    private func isForeign(_ frame: BridgeFrame) -> Bool {
        frame.headers[.origin] != storage.origin
    }

    private func take(_ frame: BridgeFrame) {
        do throws(BridgeError) {
            let envelope = try BridgeEnvelope(frame, fallbackID: "", stored: nil)
            guard envelope.origin != storage.origin, envelope.hops <= hopLimit,
                envelope.type == inlet.name.text,
                envelope.id.isEmpty
                    || Siblings.claim(envelope.id, by: storage.origin, on: center) == .granted
            else { return }
            defer { Siblings.complete(envelope.id, by: storage.origin, on: center) }
            if let error = inlet.post(frame.body, envelope) { throw error }
        } catch {
            lost.withLock { $0 += 1 }
        }
    }
}
