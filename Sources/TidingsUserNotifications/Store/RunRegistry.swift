// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsLock

/// The names of all runs of centers in this process, and whether a run is alive.
///
/// A name contains the process of the run, so that other processes can check whether the run is
/// alive.
enum RunRegistry {
    private static let names = Lock<Set<String>>([])

    /// Registers a run under a new unique name.
    static func register() -> String {
        let process = getpid()
        let name = "\(process)-\(startTime(of: process))-\(UUID().uuidString)"
        names.withLock { _ = $0.insert(name) }
        return name
    }

    static func unregister(_ name: String) {
        names.withLock { _ = $0.remove(name) }
    }

    /// Whether a string has the form of a run name.
    static func isRunName(_ text: some StringProtocol) -> Bool {
        let parts = text.split(separator: "-", maxSplits: 2)
        return parts.count == 3 && Int(parts[0]) != nil && UUID(uuidString: String(parts[2])) != nil
    }

    static func isAlive(_ name: String) -> Bool {
        let parts = name.split(separator: "-", maxSplits: 2)
        guard parts.count == 3, let process = pid_t(parts[0]), process > 0 else { return false }
        if process == getpid() { return names.withLock { $0.contains(name) } }
        guard kill(process, 0) == 0 || errno == EPERM else { return false }
        // The process number may have been reused.
        return startTime(of: process) == parts[1]
    }

    /// Returns the start time of a process as a string that can only be compared for equality.
    private static func startTime(of process: pid_t) -> String {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return "0" }
        // The process name may contain spaces. The fields after the name start with the third.
        let fields = text[text.index(after: end)...].split(separator: " ")
        return fields.count > 19 ? String(fields[19]) : "0"
    }
}
