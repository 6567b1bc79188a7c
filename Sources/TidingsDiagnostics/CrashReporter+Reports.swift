// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

extension CrashReporter {
    /// How many values a context can have; the first by name are taken.
    private static var contextLimit: Int { 32 }

    /// What a reporter could not keep.
    public struct Statistics: Hashable, Sendable {
        /// Reports that were lost because they could not be written.
        public let lostReports: Int
        /// Reports that were deleted because there were too many.
        public let removedReports: Int
        /// Keys that were not taken because there were too many.
        public let refusedValues: Int
        /// Why the last report was lost, nil if none was.
        public let lastFailure: DiagnosticsError?

        /// Returns whether the numbers are the same.
        public static func == (left: Statistics, right: Statistics) -> Bool {
            left.lostReports == right.lostReports && left.removedReports == right.removedReports
                && left.refusedValues == right.refusedValues
        }

        /// Hashes the numbers.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(lostReports)
            hasher.combine(removedReports)
            hasher.combine(refusedValues)
        }
    }

    /// Records an error.
    ///
    /// Looks at the error and the breadcrumbs now and writes the report later, in order, on a
    /// queue of its own. Never throws: a report that cannot be kept is counted.
    ///
    /// - Parameters:
    ///   - error: The error. See ``ReportableError`` for what is reported of it.
    ///   - context: What else is known.
    ///   - level: How bad it is.
    /// - Returns: The identifier of the report.
    @discardableResult
    public func record(
        _ error: any Error,
        context: [String: ReportValue] = [:],
        level: ReportLevel = .error
    ) -> Report.ID {
        let errors = scribe.errors(ReportedError.chain(error))
        var kept: [String: ReportValue] = [:]
        for (name, value) in context.sorted(by: { $0.key < $1.key }).prefix(Self.contextLimit) {
            kept[scribe.name(name)] = scribe.value(value, for: name)
        }
        let scope = scope.withLock { $0 }
        let report = Report(
            id: UUID().uuidString.lowercased(),
            date: configuration.now(),
            level: level,
            application: configuration.application,
            release: configuration.release,
            user: scope.user,
            errors: errors,
            context: kept,
            values: scope.values,
            breadcrumbs: scope.breadcrumbs
        )
        spool.write(report)
        return report.id
    }

    /// Returns the reports, the newest first, those of earlier runs included.
    ///
    /// Everything recorded before the call is among them. A file that is not a whole report is
    /// left out.
    public func reports() async -> [Report] {
        await spool.reports()
    }

    /// Deletes everything that was recorded before the call.
    ///
    /// - Throws: ``DiagnosticsError`` when files are left; the others are gone.
    public func deleteReports() async throws(DiagnosticsError) {
        try await spool.deleteAll()
    }

    /// Returns when everything recorded before the call is on disk, or lost and counted.
    public func flush() async {
        await spool.flush()
    }

    /// What could not be kept since the start.
    public var statistics: Statistics {
        let losses = spool.losses
        return Statistics(
            lostReports: losses.lost,
            removedReports: losses.removed,
            refusedValues: scope.withLock { $0.refusedValues },
            lastFailure: losses.lastFailure
        )
    }
}
