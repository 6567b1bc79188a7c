// SPDX-License-Identifier: Apache-2.0
package import Foundation

extension FileLock {
    /// A process that holds a lock.
    package struct Holder: Hashable, Sendable, CustomStringConvertible {
        /// The number of the process.
        package let process: pid_t
        /// The name of its program, if the system tells it.
        package let name: String?

        /// The number and the name.
        package var description: String {
            name.map { "\(process) (\($0))" } ?? "\(process)"
        }
    }

    /// The number of looks at the list of locks, a millisecond apart.
    ///
    /// The list is read in pieces, and misses a lock when another is released meanwhile. A burst of
    /// releases lasts longer than a look.
    private static let looks = 50

    /// Finds the process that holds the lock of a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - read: Returns the system's list of locks.
    /// - Returns: The process; nil if none holds it, or on other systems than Linux.
    package static func holder(
        of path: String,
        in read: () throws -> String = systemLocks
    ) -> Holder? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let file = UInt64(status.st_ino)
        for look in 0..<looks {
            if look > 0 { LockTime.system.pause() }
            guard let list = try? read() else { return nil }
            guard let process = process(holding: file, in: list) else { continue }
            let name = (try? text("/proc/\(process)/comm"))?
                .trimmingCharacters(in: .whitespacesAndNewlines)
            return Holder(process: process, name: name)
        }
        return nil
    }

    private static func process(holding file: UInt64, in locks: String) -> pid_t? {
        for line in locks.split(separator: "\n") {
            // A line of a process that waits for the lock has an arrow in its second field.
            let fields = line.split(separator: " ")
            guard fields.count > 5, fields[1] == "FLOCK", fields[3] == "WRITE",
                fields[5].split(separator: ":").last.flatMap({ UInt64($0) }) == file,
                let process = pid_t(fields[4]), process > 0
            else { continue }
            return process
        }
        return nil
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8)
    }

    /// Returns the system's list of locks.
    package static func systemLocks() throws -> String { try text("/proc/locks") }
}
