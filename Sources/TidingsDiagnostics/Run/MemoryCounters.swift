// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles

/// The system's counts of processes that were killed for lack of memory.
///
/// The counters are read at the start of a run and again after the end.
struct MemoryCounters: Codable, Equatable, Sendable {
    /// The folder of this process's control group, or nil without a group.
    var group: String?
    /// The number of kills in the control group, or nil if the system does not count kills.
    var groupKills: Int?
    /// The number of kills on the whole machine since the machine was started.
    var systemKills: Int?
    /// The highest use of memory by the control group, in bytes.
    var groupPeak: Int?

    /// The maximum size of a system file to read, in bytes.
    private static let limit = 64 << 10

    /// Reads the counters of this process, or of the control group of an ended process.
    ///
    /// - Parameters:
    ///   - root: The root of the file system, for tests.
    ///   - earlier: The counters at the start of the ended run.
    /// - Returns: The counters, where unreadable counters are nil.
    static func current(root: String = "", like earlier: MemoryCounters? = nil) -> MemoryCounters {
        let group = earlier == nil ? ownGroup(root) : earlier?.group
        let files = group.map { folder in
            ["memory.events", "memory.oom_control"].map { "\(folder)/\($0)" }
        }
        let peaks = group.map { folder in
            ["memory.peak", "memory.max_usage_in_bytes"].map { "\(folder)/\($0)" }
        }
        return MemoryCounters(
            group: group,
            groupKills: files?.lazy.compactMap { count("oom_kill", in: $0) }.first,
            systemKills: count("oom_kill", in: "\(root)/proc/vmstat"),
            groupPeak: peaks?.lazy.compactMap { text(of: $0).flatMap { Int($0) } }.first
        )
    }

    /// Returns the number of processes that were killed since `earlier`.
    ///
    /// The number is the control group's if known, or else the machine's. If neither is known, the
    /// result is nil.
    func kills(since earlier: MemoryCounters) -> (count: Int, isInGroup: Bool)? {
        if let now = groupKills, let then = earlier.groupKills, now >= then {
            return (now - then, true)
        }
        guard let now = systemKills, let then = earlier.systemKills, now >= then else {
            return nil
        }
        return (now - then, false)
    }

    /// Returns the folder of the control group that limits the memory of this process.
    private static func ownGroup(_ root: String) -> String? {
        let lines = (text(of: "\(root)/proc/self/cgroup") ?? "").split(separator: "\n")
        let groups = lines.compactMap { line -> String? in
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { return nil }
            let path = parts[2] == "/" ? "" : parts[2]
            if parts[1].split(separator: ",").contains("memory") {
                return "\(root)/sys/fs/cgroup/memory\(path)"
            }
            return parts[1].isEmpty ? "\(root)/sys/fs/cgroup\(path)" : nil
        }
        return groups.first { folder in
            ["memory.events", "memory.oom_control"].contains {
                SystemFile.exists("\(folder)/\($0)")
            }
        }
    }

    /// Returns the number after a word at the start of a line.
    private static func count(_ name: String, in path: String) -> Int? {
        let lines = (text(of: path) ?? "").split(separator: "\n")
        let line = lines.first { $0.hasPrefix("\(name) ") }
        return line.flatMap { Int($0.dropFirst(name.count + 1)) }
    }

    /// Returns a whole file of the system, whose stated size is zero.
    private static func text(of path: String) -> String? {
        let text = SystemFile.list(path)
        guard !text.isEmpty, text.utf8.count <= limit else { return nil }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
