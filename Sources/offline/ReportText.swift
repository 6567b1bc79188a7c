// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibrary
import TidingsDiagnostics

/// Reports as lines of a terminal.
///
/// What comes from a report may be anything, so it is cleaned.
enum ReportText {
    /// How much of an identifier a list shows; enough to tell two hundred apart.
    private static let shortID = 8

    /// The list of `offline reports`.
    static func list(_ overview: ReportsOverview) -> String {
        let width = overview.reports.map(\.kind.count).max() ?? 0
        let lines = overview.reports.map { report in
            let kind = report.kind.padding(toLength: width, withPad: " ", startingAt: 0)
            let line =
                "\(report.id.prefix(shortID))  \(kind)  \(moment(report.date))  \(report.message)"
            return firstLine(line)
                + (report.place.map { "\n" + indented(firstLine("in \($0)")) } ?? "")
        }
        let all = lines.isEmpty ? ["Nothing has been recorded."] : lines
        let failure = overview.sendingFailure.map { [firstLine(text(of: $0))] } ?? []
        return (all + ["", sending(overview)] + failure + overview.problems.map(Terminal.clean))
            .joined(separator: "\n")
    }

    /// Whether reports are sent, and where.
    static func sending(_ overview: ReportsOverview) -> String {
        guard let destination = overview.destination.map(firstLine) else {
            return "Reports stay on this machine: no address is set to which they could be sent."
        }
        return switch overview.consent {
        case "given": "Reports go to \(destination). Stop it: offline reports consent revoked"
        case "revoked": "Nothing is sent. Allow it: offline reports consent given"
        default:
            "Nothing is sent before you decide: offline reports consent given|revoked. "
                + "Reports would go to \(destination); `offline reports show ID` shows what of them."
        }
    }

    /// What has become of an attempt to send all.
    static func sent(_ overview: ReportsOverview, since begin: Date) -> String {
        let left = overview.reports.count
        let failure = failure(of: overview, since: begin).map { [firstLine(text(of: $0))] } ?? []
        let rest = left == 0 ? [] : ["Not all could be sent now; \(left) wait."]
        let lines = failure + rest
        return lines.isEmpty ? "Sent." : lines.joined(separator: "\n")
    }

    /// What went wrong in an attempt to send.
    static func failure(of overview: ReportsOverview, since begin: Date) -> SendingFailure? {
        // A date that was stored may have lost a part of a second.
        overview.sendingFailure.flatMap { $0.date >= begin.addingTimeInterval(-1) ? $0 : nil }
    }

    /// Why the last attempt to send something failed, and what becomes of it.
    private static func text(of failure: SendingFailure) -> String {
        let what = "\(moment(failure.date)): \(failure.message)"
        switch failure.kind {
        case .refused: return "One was refused and is gone, \(what)"
        default:
            let next = failure.retry.flatMap { $0 > .now ? " not before \(moment($0))" : nil }
            return "The last attempt failed, \(what) It is tried again by itself\(next ?? "")."
        }
    }

    /// That the run before this one crashed.
    static func crash(_ report: ReportSummary?) -> String {
        guard let report else { return "offline crashed the last time it ran." }
        let place = report.place.map { ", in \($0)" } ?? ""
        return firstLine("offline crashed the last time it ran: \(report.message)\(place).")
            + "\n" + firstLine("Show it: offline reports show \(report.id.prefix(shortID))")
    }

    /// All of one report.
    static func whole(_ report: ReportRepresentation) -> String {
        let parts: [[String]] = [
            head(report),
            report.frames.isEmpty
                ? [] : ["Calls, the innermost first"] + ReportFrames.lines(report.frames),
            section("Errors, and what caused them", report.errors.map(error)),
            section("What happened before", report.breadcrumbs.map(crumb)),
            section("Context", report.context.sorted { $0.key < $1.key }.map(value)),
            section("Keys", report.values.sorted { $0.key < $1.key }.map(value)),
            section("Standard error", lines(report.crash?.text ?? "")),
            section("What would be sent", lines(report.outgoing)),
        ]
        return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
            .joined(separator: "\n\n")
    }

    private static func head(_ report: ReportRepresentation) -> [String] {
        let summary = report.summary
        var lines = [
            firstLine("\(summary.id)  \(summary.kind)  \(moment(summary.date))"),
            Terminal.clean(summary.message),
        ]
        if let place = summary.place { lines.append("in " + firstLine(place)) }
        if let crash = report.crash { lines.append(how(crash)) }
        lines.append(machine(report))
        return lines
    }

    private static func how(_ crash: ReportRepresentation.Crash) -> String {
        var text = "\(crash.signal) on thread \(crash.thread)"
        if let name = crash.threadName { text += " “\(name)”" }
        if let address = crash.address { text += ", address \(address)" }
        if let sender = crash.sender { text += ", sent by process \(sender)" }
        if crash.isTruncated { text += "; what was written about it is not whole" }
        if crash.isRecovered { text += "; the program went on" }
        return firstLine(text)
    }

    private static func machine(_ report: ReportRepresentation) -> String {
        let machine = report.machine
        let parts = [
            report.release, report.environment, machine?.system, machine?.kernel,
            machine?.architecture, machine?.locale, report.user.map { "user \($0)" },
        ]
        return firstLine(parts.compactMap { $0 }.joined(separator: ", "))
    }

    private static func error(_ error: ReportedError) -> String {
        let kind = [error.domain, error.code].compactMap { $0 }.joined(separator: ".")
        return firstLine([kind, error.message].joined(separator: ": "))
            + (error.location.map { "  (\(firstLine($0)))" } ?? "")
    }

    private static func crumb(_ crumb: ReportRepresentation.Crumb) -> String {
        let seconds = String(format: "%9.3f s", -crumb.secondsBefore)
        let place = crumb.location.map { "  (\($0))" } ?? ""
        return seconds + "  " + firstLine(crumb.text + place)
    }

    private static func value(_ name: String, _ value: ReportValue) -> String {
        firstLine("\(name)  \(value)")
    }

    private static func section(_ title: String, _ lines: [String]) -> [String] {
        lines.isEmpty ? [] : [title] + lines.map(indented)
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { firstLine(String($0)) }
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

    /// One line of text that a terminal takes as text.
    static func firstLine(_ text: String) -> String {
        Terminal.clean(text.split(whereSeparator: \.isNewline).joined(separator: " "))
    }
}
