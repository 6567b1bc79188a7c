// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures

@testable import OfflineDownloads

@Suite struct ConnectionPlanTests {
    private static let mebibyte: Int64 = 1 << 20

    private func next(in plan: inout ConnectionPlan) throws -> ConnectionPlan.Assignment {
        let next = plan.beginNext()
        return try #require(next)
    }

    /// Writes bytes for a connection and returns the part of the range that was claimed.
    private func write(
        _ count: Int64,
        by number: Int,
        in plan: inout ConnectionPlan
    ) -> Range<Int64> {
        let range = plan.claim(Int(count), by: number)
        plan.confirm(Int64(range.count), by: number)
        return range
    }

    @Test func aFurtherConnectionTakesHalfOfTheLargestRest() throws {
        var plan = ConnectionPlan(keeping: RangeSet(), size: 8 * Self.mebibyte)
        let first = plan.beginFirst()
        #expect(first.range == 0..<8 * Self.mebibyte)
        #expect(write(2 * Self.mebibyte, by: 0, in: &plan) == 0..<2 * Self.mebibyte)
        let second = try next(in: &plan)
        #expect(second.range == 5 * Self.mebibyte..<8 * Self.mebibyte)
        #expect(write(Self.mebibyte, by: 1, in: &plan).lowerBound == 5 * Self.mebibyte)
        let third = try next(in: &plan)
        #expect(third.range == 7 * Self.mebibyte / 2..<5 * Self.mebibyte)
    }

    @Test func o24_moreBytesThanTheAnnouncedSizeAreNotClaimed() {
        var plan = ConnectionPlan(keeping: RangeSet(), size: nil)
        _ = plan.beginFirst()
        #expect(write(10, by: 0, in: &plan) == 0..<10)
        plan.limit(to: 5)
        #expect(write(10, by: 0, in: &plan).isEmpty)
        #expect(!plan.isComplete)
    }

    @Test func o24_aConnectionNeverWritesBeyondItsRange() throws {
        var plan = ConnectionPlan(keeping: RangeSet(), size: 4 * Self.mebibyte)
        _ = plan.beginFirst()
        // The connection keeps the bytes that are being written.
        let claimed = plan.claim(Int(Self.mebibyte), by: 0)
        let second = try next(in: &plan)
        #expect(second.range.lowerBound >= claimed.upperBound)
        plan.confirm(Self.mebibyte, by: 0)
        let rest = write(4 * Self.mebibyte, by: 0, in: &plan)
        #expect(rest.upperBound == second.range.lowerBound)
        #expect(plan.isSurplus(0))
        #expect(write(1, by: 0, in: &plan).isEmpty)
        #expect(!plan.isComplete)
        _ = write(4 * Self.mebibyte, by: 1, in: &plan)
        #expect(plan.isComplete)
        #expect(!plan.isSurplus(1), "the response has ended, and its connection is reusable")
    }

    @Test func theRestOfAnEndedConnectionIsFetchedFirst() throws {
        var plan = ConnectionPlan(keeping: RangeSet(), size: 8 * Self.mebibyte)
        _ = plan.beginFirst()
        let second = try next(in: &plan)
        _ = write(100, by: 1, in: &plan)
        plan.end(1)
        let third = try next(in: &plan)
        #expect(third.range == second.range.lowerBound + 100..<second.range.upperBound)
        #expect(plan.kept.ranges == [second.range.lowerBound..<second.range.lowerBound + 100])
    }

    @Test func o24_aRangeWithoutAByteGoesBackToItsGiver() throws {
        let size = 8 * Self.mebibyte
        var plan = ConnectionPlan(keeping: RangeSet(), size: size)
        _ = plan.beginFirst()
        let second = try next(in: &plan)
        plan.end(second.connection)
        #expect(plan.beginNext()?.range == second.range, "the first connection has it again")
        plan.end(2)
        #expect(write(size, by: 0, in: &plan) == 0..<size)
        #expect(plan.isComplete)
        #expect(!plan.isSurplus(0))
    }

    @Test func aRangeBeyondTheGiversResponseStaysFree() throws {
        var plan = ConnectionPlan(keeping: RangeSet(), size: 8 * Self.mebibyte)
        _ = plan.beginFirst()
        let second = try next(in: &plan)
        _ = write(1, by: second.connection, in: &plan)
        plan.end(second.connection)
        let third = try next(in: &plan)
        plan.end(third.connection)
        #expect(plan.beginNext()?.range == third.range)
    }

    @Test func aSmallRestIsNotDivided() {
        let size = ConnectionPlan.leastDivided - 1
        var plan = ConnectionPlan(keeping: RangeSet(), size: size)
        _ = plan.beginFirst()
        #expect(plan.beginNext() == nil)
        // A range without a connection has no minimum size.
        plan.end(0)
        #expect(plan.beginNext()?.range == 0..<size)
    }

    @Test func o24_keptRangesAreNeverAssigned() {
        let kept = RangeSet([0..<10, 20..<30, 50..<60])
        var plan = ConnectionPlan(keeping: kept, size: 70)
        #expect(plan.beginFirst().range == 10..<20)
        #expect(plan.beginNext()?.range == 30..<50)
        #expect(plan.beginNext()?.range == 60..<70)
        #expect(plan.beginNext() == nil)
        #expect(plan.kept == kept)
    }

    @Test func aFileOfUnknownSizeGrowsAtItsEnd() {
        var plan = ConnectionPlan(keeping: RangeSet([0..<10]), size: nil)
        #expect(plan.beginFirst().range.lowerBound == 10)
        #expect(write(1 << 40, by: 0, in: &plan).count == 1 << 40)
        #expect(!plan.isComplete)
        #expect(!plan.isSurplus(0))
        plan.limit(to: 20 + (1 << 40))
        #expect(write(100, by: 0, in: &plan).count == 10)
        #expect(plan.isComplete)
    }

    @Test(arguments: 0..<40)
    func o24_randomConnectionsWriteEachByteOnce(number: UInt64) {
        var random = SeededGenerator(number)
        let size = Int64.random(in: 1...(6 << 20), using: &random)
        var plan = ConnectionPlan(keeping: RangeSet(), size: size)
        var running: Set<Int> = [plan.beginFirst().connection]
        var written = RangeSet()
        var count: Int64 = 0
        while !plan.isComplete {
            if running.count < 4, Bool.random(using: &random), let next = plan.beginNext() {
                running.insert(next.connection)
            }
            guard let number = running.sorted().randomElement(using: &random) else { continue }
            let range = write(Int64.random(in: 1...500_000, using: &random), by: number, in: &plan)
            written.insert(range)
            count += Int64(range.count)
            if range.isEmpty || Int.random(in: 0..<8, using: &random) == 0 {
                plan.end(number)
                running.remove(number)
            }
        }
        #expect(count == size, "A byte was written twice, \(random).")
        #expect(written.ranges == [0..<size], "\(random)")
    }
}
