// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineAPI
import TidingsDiagnostics

/// Reports as lines of a terminal.
///
/// A report may contain any text, so control characters are removed from every line.
enum ReportText {
    /// The length of an identifier in a list.
    ///
    /// This length distinguishes two hundred reports.
    private static let shortID = 8

    /// Returns the list of `offline reports`.
    static func list(_ overview: ReportsOverview) -> String {
        let width = overview.reports.map(\.kind.count).max() ?? 0
        let lines = overview.reports.map { report in
            let kind = report.kind.padding(toLength: width, withPad: " ", startingAt: 0)
            let line =
                "\(report.id.prefix(shortID))  \(kind)  \(moment(report.date))  \(report.message)"
            return Terminal.clean(line)
                + (report.place.map { "\n" + indented(Terminal.clean("in \($0)")) } ?? "")
        }
        let all = lines.isEmpty ? ["There are no reports."] : lines
        let failure = overview.sendingFailure.map { [Terminal.clean(text(of: $0))] } ?? []
        return (all + ["", sending(overview)] + failure + overview.problems.map(Terminal.clean))
            .joined(separator: "\n")
    }

    /// Returns whether reports are sent, and their destination.
    static func sending(_ overview: ReportsOverview) -> String {
        guard let destination = overview.destination.map(Terminal.clean) else {
            return "Reports stay on this machine: no destination is set. Set one with --sentry DSN."
        }
        return switch overview.consent {
        case "given": "Reports are sent to \(destination). Stop: offline reports consent revoked"
        case "revoked": "Reports are not sent. Allow it: offline reports consent given"
        default:
            "Reports are not sent until you decide: offline reports consent given|revoked. "
                + "The destination would be \(destination); `offline reports show ID --json` shows "
                + "the content."
        }
    }

    /// Returns the outcome of `offline reports send`.
    static func sent(_ overview: ReportsOverview, since begin: Date) -> String {
        let left = overview.reports.count
        let failure =
            failure(of: overview, since: begin).map { [Terminal.clean(text(of: $0))] } ?? []
        let rest = left == 0 ? [] : ["Not all reports were sent; \(left) are pending."]
        let lines = failure + rest
        return lines.isEmpty ? "Sent." : lines.joined(separator: "\n")
    }

    /// Returns the failure of an attempt to send that started at `begin`, or nil if the attempt
    /// succeeded.
    static func failure(of overview: ReportsOverview, since begin: Date) -> SendingFailure? {
        // A stored date may have lost the fraction of a second.
        overview.sendingFailure.flatMap { $0.date >= begin.addingTimeInterval(-1) ? $0 : nil }
    }

    /// Returns why the last attempt to send failed, and when the next one starts.
    private static func text(of failure: SendingFailure) -> String {
        let detail = "\(moment(failure.date)): \(failure.message)"
        guard let retry = failure.retry else {
            return "A report was refused and deleted, \(detail)"
        }
        let next = retry > .now ? ", not before \(moment(retry))" : ""
        return "The last attempt failed, \(detail) The next one starts by itself\(next)."
    }

    /// Returns the note that the previous run crashed.
    static func crash(_ report: ReportSummary?) -> String {
        guard let report else { return "offline crashed the last time it ran." }
        let place = report.place.map { ", in \($0)" } ?? ""
        return Terminal.clean("offline crashed the last time it ran: \(report.message)\(place).")
            + "\n" + Terminal.clean("Show it: offline reports show \(report.id.prefix(shortID))")
    }

    /// Returns the parts of one report that a user reads.
    static func whole(_ report: ReportRepresentation) -> String {
        let parts: [[String]] = [
            head(report),
            report.frames.isEmpty
                ? [] : ["Calls, innermost first"] + ReportFrames.lines(report.frames),
            section("Other threads", report.threads.map(thread)),
            section("Errors and their causes", report.errors.map(error)),
            section("Events before the report", report.breadcrumbs.map(breadcrumb)),
            section("Context", report.context.sorted { $0.key < $1.key }.map(value)),
            section("Keys", report.values.sorted { $0.key < $1.key }.map(value)),
            section("Standard error", lines(report.crash?.text ?? "")),
            [command(for: report.summary)],
        ]
        return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
            .joined(separator: "\n\n")
    }

    private static func command(for report: ReportSummary) -> String {
        let id = Terminal.clean(String(report.id.prefix(shortID)))
        return "The whole content to send: offline reports show \(id) --json"
    }

    private static func head(_ report: ReportRepresentation) -> [String] {
        let summary = report.summary
        var lines = [
            Terminal.clean("\(summary.id)  \(summary.kind)  \(moment(summary.date))")
        ]
        lines += self.lines(summary.message)
        if let place = summary.place { lines.append("in " + Terminal.clean(place)) }
        if let crash = report.crash { lines.append(crashLine(crash)) }
        lines.append(machine(report))
        return lines
    }

    private static func crashLine(_ crash: ReportRepresentation.Crash) -> String {
        var text = "\(crash.signal) on thread \(crash.thread)"
        if let name = crash.threadName { text += " “\(name)”" }
        if let address = crash.address { text += ", address \(address)" }
        if let sender = crash.sender { text += ", sent by process \(sender)" }
        if crash.isTruncated { text += "; its record is incomplete" }
        if crash.isRecovered { text += "; the program continued" }
        return Terminal.clean(text)
    }

    /// Returns the innermost function of the program, or else of the system.
    private static func thread(_ thread: ReportRepresentation.Thread) -> String {
        let frames = thread.frames.filter { $0.function != nil }
        let place = (frames.first { !$0.isSystem } ?? frames.first)?.function ?? "unknown"
        let name = thread.name.map { " “\($0)”" } ?? ""
        return Terminal.clean("\(thread.number)\(name)  \(place)")
    }

    private static func machine(_ report: ReportRepresentation) -> String {
        let machine = report.machine
        let parts = [
            report.release, report.environment, machine["system"], machine["kernel"],
            machine["architecture"], machine["locale"], report.user.map { "user \($0)" },
        ]
        return Terminal.clean(parts.compactMap { $0 }.joined(separator: ", "))
    }

    private static func error(_ error: ReportedError) -> String {
        let kind = [error.domain, error.code].compactMap { $0 }.joined(separator: ".")
        return Terminal.clean([kind, error.message].joined(separator: ": "))
            + (error.location.map { "  (\(Terminal.clean($0)))" } ?? "")
    }

    private static func breadcrumb(_ crumb: ReportRepresentation.Crumb) -> String {
        let seconds = String(format: "%9.3f s", -crumb.secondsBefore)
        let place = crumb.location.map { "  (\($0))" } ?? ""
        return seconds + "  " + Terminal.clean(crumb.text + place)
    }

    private static func value(_ name: String, _ value: ReportValue) -> String {
        Terminal.clean("\(name)  \(value)")
    }

    private static func section(_ title: String, _ lines: [String]) -> [String] {
        lines.isEmpty ? [] : [title] + lines.map(indented)
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { Terminal.clean(String($0)) }
    }

    private static func indented(_ line: String) -> String { "  " + line }

    private static func moment(_ date: Date) -> String {
        date.formatted(
            Date.VerbatimFormatStyle(
                format: """
                    \(year: .defaultDigits)-\(month: .twoDigits)-\(day: .twoDigits) \
                    \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\
                    \(minute: .twoDigits)
                    """,
                timeZone: .current,
                calendar: Calendar(identifier: .gregorian)
            )
        )
    }
}
