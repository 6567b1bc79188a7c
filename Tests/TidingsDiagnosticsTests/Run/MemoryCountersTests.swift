// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct MemoryCountersTests {
    private let root: TemporaryFolder

    init() throws {
        root = try TemporaryFolder()
        try write("oom_kill 3\n", "proc/vmstat")
    }

    private func write(_ text: String, _ name: String) throws {
        let path = URL(filePath: "\(root.path)/\(name)")
        try FileManager.default.createDirectory(
            at: path.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: path)
    }

    @Test func r7_theCountersOfAControlGroupAreRead() throws {
        try write("0::/films.service\n", "proc/self/cgroup")
        let group = "sys/fs/cgroup/films.service"
        try write("low 0\noom 7\noom_kill 2\noom_group_kill 0\n", "\(group)/memory.events")
        try write("4096\n", "\(group)/memory.peak")
        let counters = MemoryCounters.current(root: root.path)
        #expect(counters.groupKills == 2 && counters.systemKills == 3)
        #expect(counters.groupPeak == 4_096)
        // The process that reads an ended run may be in another group.
        try write("0::/other.service\n", "proc/self/cgroup")
        #expect(MemoryCounters.current(root: root.path, like: counters) == counters)
    }

    @Test func r7_theCountersOfTheFirstVersionAreRead() throws {
        try write("7:cpu,memory:/\n0::/\n", "proc/self/cgroup")
        let group = "sys/fs/cgroup/memory"
        try write("oom_kill_disable 0\noom_kill 5\n", "\(group)/memory.oom_control")
        try write("8192\n", "\(group)/memory.max_usage_in_bytes")
        let counters = MemoryCounters.current(root: root.path)
        #expect(counters.groupKills == 5 && counters.groupPeak == 8_192)
    }

    @Test func withoutAGroupOnlyTheMachineCounts() throws {
        try write("nonsense\n::\n0::/missing\n", "proc/self/cgroup")
        #expect(MemoryCounters.current(root: root.path) == MemoryCounters(systemKills: 3))
    }
}
