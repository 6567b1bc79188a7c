// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Tidings

extension CrashReporter {
    /// What a reporter could not keep.
    public struct Statistics: Hashable, Sendable {
        /// Reports that were lost: there was no room, or they could not be read.
        public let lostReports: Int
        /// Reports that were deleted because there were too many or they were too old.
        public let removedReports: Int
        /// Keys that were not taken because there were too many.
        public let refusedValues: Int
        /// Errors that chance has left out, as `sampleRate` says.
        public let sampledErrors: Int
        /// Why the last report was lost, nil if none was.
        public let lastFailure: DiagnosticsError?

        /// Returns whether the numbers are the same.
        public static func == (left: Statistics, right: Statistics) -> Bool {
            left.numbers == right.numbers
        }

        /// Hashes the numbers.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(numbers)
        }

        private var numbers: [Int] { [lostReports, removedReports, refusedValues, sampledErrors] }
    }

    /// What could not be kept since the start.
    public var statistics: Statistics {
        let losses = spool.losses
        return Statistics(
            lostReports: losses.lost + (run?.file.lostEvents ?? 0),
            removedReports: losses.removed,
            refusedValues: scope.withLock { $0.refusedValues },
            sampledErrors: sampled.load(ordering: .relaxed),
            lastFailure: losses.lastFailure
        )
    }

    /// How many runs of each release began on each day, and how many of them ended badly; the
    /// oldest day first.
    ///
    /// Counted on this machine, whether reports are sent or not. A run counts as having ended when
    /// the next one has begun.
    public var figures: [RunFigures] { store.state.figures }
}
