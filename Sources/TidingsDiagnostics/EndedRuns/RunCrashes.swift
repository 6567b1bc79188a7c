// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles

/// The captures of an ended run's signal handler.
struct RunCrashes: Equatable, Sendable {
    struct Crash: Equatable, Sendable {
        /// The index of the crash within the run, from 0.
        let number: Int
        let capture: RawCapture
        /// Whether the run survived the crash.
        let isRecovered: Bool
    }

    /// The number of seconds after which activity shows that the run survived a crash.
    ///
    /// Other handlers run for a shorter time after a crash while other threads continue.
    private static let activityLimit: TimeInterval = 10
    private static let sizeLimit = 1 << 20

    /// The crashes, oldest first.
    let crashes: [Crash]
    /// The paths of files with contents that are not a capture.
    let unreadable: [String]

    /// Reads the captures of a run.
    ///
    /// A missing file counts as empty.
    ///
    /// - Parameters:
    ///   - paths: The paths of the captures, in the order of the crashes.
    ///   - lastActivity: The date of the last known activity of the run.
    /// - Returns: The crashes.
    static func read(_ paths: [String], lastActivity: Date? = nil) -> RunCrashes {
        RunCrashes(
            paths.map { ($0, SystemFile.read($0, limit: sizeLimit) ?? Data()) },
            lastActivity: lastActivity
        )
    }

    /// Whether a file contains more than the zeros of the reserved space.
    static func isUsed(_ path: String) -> Bool {
        SystemFile.read(path, limit: sizeLimit)?.contains { $0 != 0 } ?? false
    }

    init(_ files: [(path: String, bytes: Data)], lastActivity: Date?) {
        let captures = files.map { RawCapture($0.bytes) }
        let found = captures.enumerated().compactMap { number, capture in
            capture.map { (number, $0) }
        }
        crashes = found.enumerated().map { index, found in
            let (number, capture) = found
            let limit = capture.date?.addingTimeInterval(Self.activityLimit)
            let wentOn = limit.flatMap { limit in lastActivity.map { $0 > limit } } ?? false
            // A run that crashed again has survived the earlier crash.
            let isLast = index == captures.compactMap(\.self).count - 1
            return Crash(
                number: number,
                capture: capture,
                isRecovered: capture.isRecovered || wentOn || !isLast
            )
        }
        unreadable = zip(files, captures).compactMap { file, capture in
            // The space that was reserved for a crash that did not happen contains only zeros.
            capture == nil && file.bytes.contains { $0 != 0 } ? file.path : nil
        }
    }
}
