// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Assembles the report of a recorded error, in the same run or the next run.
struct EventReportBuilder: Sendable {
    let symbolicator: (any Symbolicator)?
    let writer: RedactingWriter

    /// Returns the report of an event.
    ///
    /// The method symbolicates the frames, which takes a few milliseconds.
    ///
    /// - Parameters:
    ///   - event: The recorded error.
    ///   - run: The metadata of the run that recorded the event.
    ///   - scope: The user and keys at the time of the recording.
    ///   - breadcrumbs: The events before the recording.
    ///   - images: The loaded images at the time of the recording.
    /// - Returns: The report.
    func report(
        _ event: EventRecord,
        run: RunMetadata,
        scope: ScopeRecord,
        breadcrumbs: [Breadcrumb],
        images: ImageList?
    ) -> Report {
        var report = Report(
            id: event.id.uuidString.lowercased(),
            date: event.date,
            level: event.level,
            application: run.application,
            release: run.release,
            environment: run.environment,
            user: event.user ?? scope.user,
            errors: event.errors,
            context: event.context,
            values: scope.values.merging(event.values) { _, own in own },
            breadcrumbs: breadcrumbs
        )
        report.add(run)
        report.attachments = event.attachments
        report.grouping = event.grouping.isEmpty ? event.errors.grouping : event.grouping
        if let images {
            let stack = CrashStack(event.frames)
            let symbols = stack.symbols(from: symbolicator, images: images)
            report.frames = stack.reported(symbols, images: images, writer: writer)
                .withoutReporter()
            report.images = images.reported(for: [stack], writer: writer)
        }
        return report
    }
}

extension Report {
    /// Adds the facts that all reports of a run have in common.
    mutating func add(_ run: RunMetadata) {
        machine = run.machine
        session = run.session
        dist = run.dist
        serverName = run.serverName
    }
}

extension [ReportedFrame] {
    /// The frames without the reporter's own calls.
    fileprivate func withoutReporter() -> [ReportedFrame] {
        let own = lastIndex { $0.function?.hasPrefix("CrashReporter.record") == true }
        return own.map { Array(self[index(after: $0)...]) } ?? self
    }
}
