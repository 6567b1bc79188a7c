// SPDX-License-Identifier: Apache-2.0
package import Foundation

extension FileLock {
    /// A process that holds a lock.
    package struct Holder: Hashable, Sendable, CustomStringConvertible {
        /// The number of the process.
        package let process: pid_t
        /// The name of the process's program, if the system provides the name.
        package let name: String?

        /// The number and the name.
        package var description: String {
            name.map { "\(process) (\($0))" } ?? "\(process)"
        }
    }

    /// The number of looks at the list of locks, a millisecond apart.
    ///
    /// The system returns the list in pieces. A lock can be missing if another lock is released
    /// during the read. A burst of releases lasts longer than one look.
    private static let looks = 50

    /// Finds the process that holds the lock of a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - read: Returns the system's list of locks.
    /// - Returns: The process, or nil if none holds the lock. On other systems than Linux, the
    ///   result is always nil.
    package static func holder(
        of path: String,
        in read: () -> String = systemLocks
    ) -> Holder? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let file = UInt64(status.st_ino)
        for look in 0..<looks {
            if look > 0 { LockTime.system.pause() }
            guard let process = process(holding: file, in: read()) else { continue }
            let name = SystemFile.list("/proc/\(process)/comm")
                .trimmingCharacters(in: .whitespacesAndNewlines)
            return Holder(process: process, name: name.isEmpty ? nil : name)
        }
        return nil
    }

    private static func process(holding file: UInt64, in locks: String) -> pid_t? {
        for line in locks.split(separator: "\n") {
            // The second field of a line is an arrow if the process only waits for the lock.
            let fields = line.split(separator: " ")
            guard fields.count > 5, fields[1] == "FLOCK", fields[3] == "WRITE",
                fields[5].split(separator: ":").last.flatMap({ UInt64($0) }) == file,
                let process = pid_t(fields[4]), process > 0
            else { continue }
            return process
        }
        return nil
    }

    /// Returns the system's list of locks.
    package static func systemLocks() -> String { SystemFile.list("/proc/locks") }
}
