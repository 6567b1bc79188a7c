// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Tidings
import TidingsLock

extension CrashReporter {
    /// The counts of records and reports that a reporter could not keep.
    public struct Statistics: Sendable {
        /// The number of reports that were lost because there was no space or they could not be
        /// read.
        public let lostReports: Int
        /// The number of reports that were deleted because of the limits on count, size and age.
        public let removedReports: Int
        /// The number of keys that were refused because there were too many.
        public let refusedValues: Int
        /// The number of errors that were dropped by sampling; see
        /// ``CrashReporter/Configuration/sampleRate``.
        public let sampledErrors: Int
        /// The reason for the last lost report; nil if none was lost.
        public let lastFailure: DiagnosticsError?
    }

    /// The losses since the start.
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

    /// The number of runs per release and day, and how many of them ended abnormally; oldest day
    /// first.
    ///
    /// Counted on this machine, even if no reports are sent. The end of a run is counted when the
    /// next run starts.
    public var figures: [RunFigures] { store.state.figures }
}
