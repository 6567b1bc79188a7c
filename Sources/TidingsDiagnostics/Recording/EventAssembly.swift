// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Makes a report of an error that was recorded, in the same run or in the next one.
struct EventAssembly: Sendable {
    let symbolicator: (any Symbolicator)?
    let scribe: Scribe

    /// Returns the report of an event.
    ///
    /// Looks into the files that are loaded, and so takes some milliseconds.
    ///
    /// - Parameters:
    ///   - event: What was recorded.
    ///   - run: Who recorded it.
    ///   - scope: What had been set then.
    ///   - breadcrumbs: What had happened until then.
    ///   - images: What was loaded then.
    /// - Returns: The report.
    func report(
        _ event: EventRecord,
        run: RunFacts,
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
        report.machine = run.machine
        report.grouping = event.grouping
        report.session = run.session
        if let images {
            let stack = CrashStack(event.frames)
            let symbols = stack.symbols(from: symbolicator, images: images)
            report.frames = stack.reported(symbols, images: images, scribe: scribe)
                .withoutReporter()
            report.images = stack.images(of: images, scribe: scribe)
        }
        return report
    }
}

extension [ReportedFrame] {
    /// Without the calls within the reporter itself.
    fileprivate func withoutReporter() -> [ReportedFrame] {
        let own = lastIndex { $0.function?.hasPrefix("CrashReporter.record") == true }
        return own.map { Array(self[index(after: $0)...]) } ?? self
    }
}
