// SPDX-License-Identifier: Apache-2.0
#if NATS
import Foundation
import Testing
import TidingsBridge
import TidingsNATS

@Suite(.timeLimit(.minutes(15)), .serialized)
struct NATSTransportTests {
    @Test func framesArriveInOrderWithTheirHeaders() async throws {
        let server = try await NATSServer()
        let connection = try await NATSTransport(server.address, .patient).connect(
            to: "shop",
            epoch: 1
        )
        defer { connection.close() }
        try await connection.publish(frames(0..<2_000))
        let acknowledged = try await connection.acknowledgements(count: 2_000)
        #expect(acknowledged.map(\.row) == Array(0..<2_000))
        #expect(acknowledged.map(\.sequence) == (1...2_000).map { UInt64($0) })

        let reader = try await connection.read(from: .beginning, SubjectFilter("shop.>"))
        let read = try await reader.frames(count: 2_000, atMost: 100)
        #expect(read.map(\.sequence) == (1...2_000).map { UInt64($0) })
        #expect(read.map(\.frame) == frames(0..<2_000).map(\.frame))
    }
}

func frames(_ rows: Range<Int>, subject: String = "shop.orders.eu") -> [PublishedFrame] {
    rows.map { row in
        var headers: FrameHeaders = [:]
        headers[.id] = "test-\(row)"
        headers[.type] = "orders"
        return PublishedFrame(
            row: row,
            frame: BridgeFrame(subject: subject, headers: headers, body: [UInt8]("row \(row)".utf8))
        )
    }
}

extension PublishAcknowledgement {
    var sequence: UInt64? {
        if case .accepted(let sequence, _) = outcome { sequence } else { nil }
    }

    var refusal: TransportError.Code? {
        if case .refused(let error) = outcome { error.code } else { nil }
    }
}

extension BridgeConnection {
    func acknowledgements(count: Int) async throws -> [PublishAcknowledgement] {
        var result: [PublishAcknowledgement] = []
        while result.count < count {
            result += try await acknowledgements(atMost: count - result.count)
        }
        return result
    }
}

extension FrameReader {
    func frames(count: Int, atMost limit: Int) async throws -> [Element] {
        var result: [Element] = []
        while result.count < count { result += try await next(atMost: limit) }
        return result
    }
}
#endif
