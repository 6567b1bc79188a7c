// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsErrors

@testable import OfflineMedia

@Suite(.timeLimit(.minutes(15)))
struct TransportStreamFilterTests {
    /// Returns a packet, which announces a restart of the counter if `jump` is true.
    private func packet(
        _ stream: Int,
        _ counter: UInt8,
        payload: Bool = true,
        jump: Bool = false
    )
        -> [UInt8]
    {
        var bytes = [UInt8](repeating: 0, count: 188)
        bytes[0] = 0x47
        bytes[1] = UInt8(stream >> 8)
        bytes[2] = UInt8(stream & 0xff)
        bytes[3] = (payload ? 0x10 : 0) | (jump ? 0x20 : 0) | counter
        if jump {
            bytes[4] = 1
            bytes[5] = 0x80
        }
        return bytes
    }

    private func counters(_ bytes: [UInt8]) -> [UInt8] {
        stride(from: 3, to: bytes.count, by: 188).map { bytes[$0] & 0x0f }
    }

    private func run(
        _ filter: inout TransportStreamFilter,
        _ segment: Int,
        _ packets: [[UInt8]]
    ) throws -> [UInt8] {
        var bytes = packets.flatMap { $0 }
        filter.begin(segment: segment)
        try filter.process(&bytes)
        return counters(bytes)
    }

    private func makeFilter(check: Bool = true) -> TransportStreamFilter {
        TransportStreamFilter(check: check)
    }

    @Test func continuousCountersStayUnchanged() throws {
        var filter = makeFilter()
        let first = [packet(1, 14), packet(2, 0), packet(1, 15), packet(1, 15), packet(1, 0)]
        #expect(try run(&filter, 0, first) == [14, 0, 15, 15, 0])
        let second = [packet(2, 1), packet(1, 0, payload: false), packet(1, 1)]
        #expect(try run(&filter, 1, second) == [1, 0, 1])
    }

    @Test func aJumpIsDamageUnlessAnnounced() throws {
        var filter = makeFilter()
        _ = try run(&filter, 0, [packet(1, 7)])
        #expect(try run(&filter, 1, [packet(1, 3, jump: true), packet(1, 4)]) == [3, 4])
        try filter.finish()
        #expect(try run(&filter, 2, [packet(1, 9)]) == [5])
        let error = #expect(throws: MediaError.self) { try filter.finish() }
        #expect(error?.message.hasPrefix("Segment 2 is damaged") == true)
        var inside = makeFilter()
        #expect(throws: MediaError.self) { try run(&inside, 0, [packet(1, 0), packet(1, 2)]) }
    }

    @Test func withoutTheCheckSegmentsAreJoinedAndFlawsStay() throws {
        var filter = makeFilter(check: false)
        #expect(try run(&filter, 0, [packet(1, 0), packet(1, 5)]) == [0, 5])
        #expect(try run(&filter, 1, [packet(1, 0), packet(1, 1)]) == [6, 7])
    }

    @Test(
        arguments: [
            ([[0, 1], [0, 1], [0, 1]], nil), ([[3, 4], [9, 10], [1, 2], [13, 14]], nil),
            ([[3, 4], [5, 6], [9, 10], [11, 12]], 2), ([[3, 4], [9, 10], [1, 2]], 1),
            ([[3, 4], [6, 7], [8, 9], [10, 11], [13, 14], [1, 2]], 1),
            ([[0, 1], [2, 3], [0, 1], [2, 3]], 2),
        ] as [([[UInt8]], Int?)]
    )
    func o6_onlyRegularJumpsBetweenSegmentsAreNoLoss(
        segments: [[UInt8]],
        cut: Int?
    ) throws {
        var filter = makeFilter()
        for (number, counters) in segments.enumerated() {
            _ = try run(&filter, number, counters.map { packet(1, $0) })
        }
        let message = cut.map {
            "Segment \($0) is damaged: packets are missing or cut. Retry the download."
        }
        #expect(filter.damage?.message == message)
    }

    @Test func o6_aJumpWithinASegmentNamesIt() throws {
        var filter = makeFilter()
        _ = try run(&filter, 0, [packet(1, 0), packet(1, 1)])
        let error = #expect(throws: MediaError.self) {
            try run(&filter, 1, [packet(1, 2), packet(1, 5)])
        }
        #expect(error?.message.hasPrefix("Segment 2 is damaged") == true)
    }

    @Test func nullPacketsAreIgnored() throws {
        var filter = makeFilter()
        #expect(try run(&filter, 0, [packet(0x1fff, 3), packet(0x1fff, 9)]) == [3, 9])
    }

    @Test func truncatedAndForeignPacketsAreDamage() throws {
        var filter = makeFilter()
        for bytes in [packet(1, 0).dropLast(), [UInt8](repeating: 0, count: 188)[...]] {
            #expect(throws: MediaError.self) { try run(&filter, 0, [[UInt8](bytes)]) }
        }
    }
}
