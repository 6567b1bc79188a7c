// SPDX-License-Identifier: Apache-2.0

extension RedactingWriter {
    /// The maximum size of the standard-error text in a report, in bytes.
    static let standardErrorLimit = 8_000

    /// Redacts a report that a program may have changed.
    ///
    /// Redacted text remains unchanged.
    func report(_ report: Report) -> Report {
        var report = report
        report.application = label(report.application)
        report.release = label(report.release)
        report.environment = report.environment.map { label($0) }
        report.dist = report.dist.map { label($0) }
        report.serverName = report.serverName.map { label($0) }
        report.attachments = attachments(
            report.attachments,
            keepsBinaries: report.crash == nil
        )
        report.user = report.user.map { user($0) }
        report.errors = errors(report.errors)
        report.context = values(report.context)
        report.values = values(report.values)
        report.breadcrumbs = report.breadcrumbs.map { crumb in
            Breadcrumb(
                date: crumb.date,
                category: name(crumb.category),
                level: crumb.level,
                text: text(crumb.text),
                data: values(crumb.data),
                location: crumb.location.map { text($0) }
            )
        }
        report.grouping = report.grouping.map { text($0) }
        report.machine = report.machine.mapValues { text($0) }
        report.crash = report.crash.map { crash($0) }
        report.frames = frames(report.frames)
        report.threads = report.threads.map { thread in
            ReportedThread(
                number: thread.number,
                name: thread.name.map { name($0) },
                frames: frames(thread.frames)
            )
        }
        for index in report.images.indices {
            report.images[index].path = text(report.images[index].path)
        }
        return report
    }

    private func frames(_ frames: [ReportedFrame]) -> [ReportedFrame] {
        frames.map { frame in
            var frame = frame
            frame.file = frame.file.map { text($0) }
            return frame
        }
    }

    private func values(_ values: [String: ReportValue]) -> [String: ReportValue] {
        let kept = values.map { (name($0.key), value($0.value, for: $0.key)) }
        return Dictionary(kept.sorted { $0.0 < $1.0 }) { first, _ in first }
    }

    private func crash(_ crash: ReportedCrash) -> ReportedCrash {
        var crash = crash
        crash.signal = name(crash.signal)
        crash.reason = crash.reason.map { text($0) }
        crash.text = crash.text.map { tail(of: $0, limit: Self.standardErrorLimit) }
        crash.threadName = crash.threadName.map { name($0) }
        return crash
    }
}
