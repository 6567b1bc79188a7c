// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What the signal handler of a run that has ended has left.
struct RunCrashes: Equatable, Sendable {
    struct Crash: Equatable, Sendable {
        /// Which crash of the run, from 0.
        let number: Int
        let capture: RawCapture
        /// Whether the run went on after it.
        let isRecovered: Bool
    }

    /// Longer than what other handlers do after a crash while its other threads go on.
    private static let activityLimit: TimeInterval = 10
    private static let sizeLimit = 1 << 20

    /// The oldest first.
    let crashes: [Crash]
    /// Files that hold something that is no capture.
    let unreadable: [String]

    /// Looks into the files; one that is not there holds nothing.
    ///
    /// - Parameters:
    ///   - paths: Where the captures of the run are, the first crash first.
    ///   - lastActivity: When the run is known to have done something last.
    /// - Returns: What they hold.
    static func read(_ paths: [String], lastActivity: Date? = nil) -> RunCrashes {
        RunCrashes(
            paths.map { ($0, SystemFile.read($0, limit: sizeLimit) ?? Data()) },
            lastActivity: lastActivity
        )
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
            // Whoever crashes again has survived.
            let isLast = index == captures.compactMap(\.self).count - 1
            return Crash(
                number: number,
                capture: capture,
                isRecovered: capture.isRecovered || wentOn || !isLast
            )
        }
        unreadable = zip(files, captures).compactMap { file, capture in
            // The space that was allocated for a crash that never came is zero.
            capture == nil && file.bytes.contains { $0 != 0 } ? file.path : nil
        }
    }
}
