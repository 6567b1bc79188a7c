// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What is known of a run when one of its crashes becomes a report.
struct CrashFacts: Sendable {
    /// Made from the run, so that the same crash always has the same one.
    var id: Report.ID
    var application: String
    var release: String
    var environment: String?
    var user: String?
    var values: [String: ReportValue] = [:]
    var breadcrumbs: [Breadcrumb] = []
    var session: String?
    var machine: ReportedMachine?
    /// When the run began: the date of a crash that left none of its own.
    var started: Date

    /// The identifier of the report of a run's crash.
    ///
    /// A start that dies between publishing a report and removing the run makes the same report
    /// again, and it must not be told from the first one.
    static func identifier(run: String, number: Int) -> Report.ID {
        let starts: [UInt64] = [0xcbf2_9ce4_8422_2325, 0x9ae1_6a3b_2f90_404f]
        let bytes = starts.flatMap { start -> [UInt8] in
            var hash = "\(run) \(number)".utf8.reduce(start) {
                ($0 ^ UInt64($1)) &* 0x100_0000_01b3
            }
            // The highest bits have seen little of the last bytes.
            hash = (hash ^ hash >> 29) &* 0xbf58_476d_1ce4_e5b9
            return withUnsafeBytes(of: hash ^ hash >> 32) { Array($0) }
        }
        // Version 8 of a UUID: whatever its maker wants.
        let marked = bytes.enumerated().map { index, byte -> UInt8 in
            switch index {
            case 6: byte & 0x0F | 0x80
            case 8: byte & 0x3F | 0x80
            default: byte
            }
        }
        let digits = Array(BuildID.text(of: marked))
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
        return groups.map { String(digits[$0]) }.joined(separator: "-")
    }
}

/// Makes a report of what the signal handler has written and what the run had said before.
///
/// Never fails: what cannot be read or found is left out of the report.
struct CrashAssembly: Sendable {
    /// How much of the standard error a run keeps.
    private static let ringSize = RunLayout.textSize

    let symbolicator: (any Symbolicator)?
    let scribe: Scribe

    /// Makes the report of a crash.
    ///
    /// Looks into the files that were loaded, and so takes some milliseconds and up to a second.
    ///
    /// - Parameters:
    ///   - capture: What the signal handler has written.
    ///   - known: What was loaded when the run began; the capture knows it too unless it is torn.
    ///   - isRecovered: Whether the run is known to have gone on after it.
    ///   - facts: What the run has said.
    /// - Returns: The report.
    func report(
        _ capture: RawCapture,
        known: ImageList?,
        isRecovered: Bool,
        facts: CrashFacts
    ) -> Report {
        let images = ImageList(capture, known: known)
        let stack = CrashStack(capture, images: images)
        let symbols = stack.symbols(from: symbolicator, images: images)
        let text = newestLines(of: capture.text)
        var report = Report(
            id: facts.id,
            date: capture.date ?? facts.started,
            level: .fatal,
            application: facts.application,
            release: facts.release,
            environment: facts.environment,
            user: facts.user,
            errors: [],
            context: [:],
            values: facts.values,
            breadcrumbs: facts.breadcrumbs
        )
        report.frames = stack.reported(symbols, images: images, scribe: scribe)
        report.images = stack.images(of: images, scribe: scribe)
        report.machine = facts.machine
        report.session = facts.session
        report.crash = crash(
            capture,
            reason: CrashReason(capture, innermost: symbols.first ?? [])?.text,
            text: text,
            images: images,
            isRecovered: isRecovered
        )
        return report
    }

    private func crash(
        _ capture: RawCapture,
        reason: String?,
        text: String?,
        images: ImageList,
        isRecovered: Bool
    ) -> ReportedCrash {
        let signal = capture.signal
        let isSent = (signal?.code ?? 1) <= 0
        var crash = ReportedCrash(
            signal: signal.map { SignalName.name(of: $0.number) } ?? "unknown",
            number: signal?.number ?? 0,
            code: signal?.code ?? 0,
            address: isSent ? nil : signal?.address,
            reason: reason.map { scribe.text($0) },
            text: text,
            threadName: capture.threadName.map { scribe.name($0) },
            thread: signal?.thread ?? 0,
            sender: isSent ? signal?.sender : nil
        )
        crash.registers = capture.namedRegisters(images)
        crash.isTruncated = !capture.isComplete || capture.isTruncated || capture.isLate
        crash.isRecovered = isRecovered || capture.isRecovered
        return crash
    }

    /// The end of the text, redacted before it is cut; nil when there is none.
    private func newestLines(of text: [UInt8]) -> String? {
        guard !text.isEmpty else { return nil }
        var text = text[...]
        if text.count >= Self.ringSize {
            // What stood before is gone, and with it what may have said that the rest of the line
            // is a secret.
            let line = text.firstIndex(of: UInt8(ascii: "\n"))
            let cut = line ?? text.firstIndex(of: UInt8(ascii: " "))
            text = cut.map { text[($0 + 1)...] } ?? []
        }
        let whole = String(decoding: text, as: UTF8.self)
        return scribe.end(of: whole, limit: Scribe.standardErrorLimit)
    }
}
