// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct UnnoticedEndTests {
    private static let quiet = MemoryCounters(groupKills: 1, systemKills: 4)

    private func end(
        _ recorded: RunRecord.End? = .running,
        boot: String? = "a",
        now: MemoryCounters = quiet
    ) -> UnnoticedEnd {
        var metadata = RunMetadata.current(application: "films", release: "films@1")
        metadata.bootID = "a"
        metadata.memory = Self.quiet
        return UnnoticedEnd(recorded, of: metadata, bootID: boot, counters: now)
    }

    @Test func r7_theReasonIsTheMostCertainOne() {
        let killed = MemoryCounters(groupKills: 2, systemKills: 9)
        #expect(end(.terminated(signal: SIGPIPE), boot: "b", now: killed) == .brokenPipe)
        #expect(end(boot: "b", now: killed) == .restart)
        #expect(end(now: killed) == .outOfMemory(kills: 1, isInGroup: true))
        #expect(
            end(now: MemoryCounters(systemKills: 6)) == .outOfMemory(kills: 2, isInGroup: false)
        )
        #expect(end() == .killed)
        #expect(end(nil, boot: nil, now: MemoryCounters()) == .killed)
    }

    @Test func r7_killsOfAnotherGroupAndOfANewOneDoNotCount() {
        #expect(end(now: MemoryCounters(groupKills: 1, systemKills: 9)) == .killed)
        // A new control group counts from zero.
        #expect(end(now: MemoryCounters(groupKills: 0, systemKills: 4)) == .killed)
    }
}
