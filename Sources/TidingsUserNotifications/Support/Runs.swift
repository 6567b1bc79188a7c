// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// The runs of centers, by name, and which of them are alive.
///
/// A name says which process has it, so that other processes can tell whether that one still runs.
enum Runs {
    private static let live = Lock<Set<String>>([])

    /// Begins a run under a name that no other has.
    static func begin() -> String {
        let process = getpid()
        let name = "\(process)-\(birth(of: process))-\(UUID().uuidString)"
        live.withLock { _ = $0.insert(name) }
        return name
    }

    static func end(_ name: String) {
        live.withLock { _ = $0.remove(name) }
    }

    /// Whether this could be the name of a run.
    static func isName(_ text: some StringProtocol) -> Bool {
        let parts = text.split(separator: "-", maxSplits: 2)
        return parts.count == 3 && Int(parts[0]) != nil && UUID(uuidString: String(parts[2])) != nil
    }

    static func isAlive(_ name: String) -> Bool {
        let parts = name.split(separator: "-", maxSplits: 2)
        guard parts.count == 3, let process = pid_t(parts[0]), process > 0 else { return false }
        if process == getpid() { return live.withLock { $0.contains(name) } }
        guard kill(process, 0) == 0 || errno == EPERM else { return false }
        // The number may belong to another program by now.
        return birth(of: process) == parts[1]
    }

    /// When a process has started, in a form that only equality means something of.
    private static func birth(of process: pid_t) -> String {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return "0" }
        // The fields after the name, which may have blanks, begin with the third.
        let fields = text[text.index(after: end)...].split(separator: " ")
        return fields.count > 19 ? String(fields[19]) : "0"
    }
}
