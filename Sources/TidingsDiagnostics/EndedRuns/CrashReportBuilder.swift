// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The metadata and the last state of a run, for the report of a crash.
struct CrashMetadata: Sendable {
    /// The identifier, derived from the run so that a crash always has the same identifier.
    var id: Report.ID
    var application: String
    var release: String
    var environment: String?
    var user: String?
    var values: [String: ReportValue] = [:]
    var breadcrumbs: [Breadcrumb] = []
    var session: String?
    var machine: [String: String] = [:]
    /// The start of the run, which is also the date of a crash without a date.
    var started: Date

    /// Returns the identifier of a crash report.
    ///
    /// If a start ends between storing a report and deleting the run, the next start assembles the
    /// report again. Both reports must have the same identifier.
    static func identifier(run: String, number: Int) -> Report.ID {
        let starts: [UInt64] = [0xcbf2_9ce4_8422_2325, 0x9ae1_6a3b_2f90_404f]
        let bytes = starts.flatMap { start -> [UInt8] in
            var hash = "\(run) \(number)".utf8.reduce(start) {
                ($0 ^ UInt64($1)) &* 0x100_0000_01b3
            }
            // The last bytes of the input have little effect on the highest bits so far.
            hash = (hash ^ hash >> 29) &* 0xbf58_476d_1ce4_e5b9
            return withUnsafeBytes(of: hash ^ hash >> 32) { Array($0) }
        }
        // Version 8 of a UUID, for custom formats.
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

/// Assembles crash reports from the signal handler's capture and the records of the run.
///
/// The builder never fails. Unreadable or missing parts are left out of the report.
struct CrashReportBuilder: Sendable {
    /// The maximum number of calls of a thread that did not crash.
    private static let otherLimit = 24

    let symbolicator: (any Symbolicator)?
    let writer: RedactingWriter

    /// Assembles the report of a crash.
    ///
    /// The method symbolicates the frames, which takes from a few milliseconds up to a second.
    ///
    /// - Parameters:
    ///   - capture: The signal handler's capture.
    ///   - known: The images that were loaded at the start of the run. A complete capture contains
    ///     its own list.
    ///   - isRecovered: Whether the run is known to have survived the crash.
    ///   - metadata: The metadata and the last state of the run.
    /// - Returns: The report.
    func report(
        _ capture: RawCapture,
        known: ImageList?,
        isRecovered: Bool,
        metadata: CrashMetadata
    ) -> Report {
        let images = ImageList(capture, known: known)
        let rules = rules(of: images)
        let (stack, symbols) = CrashStack(capture, images: images, rules: rules)
            .symbolicated(capture.callers, from: symbolicator, images: images)
        let others = capture.others.sorted { $0.key < $1.key }.map { number, other in
            let (stack, symbols) = CrashStack(other, images: images, rules: rules)
                .shortened(to: Self.otherLimit)
                .symbolicated(other.callers, from: symbolicator, images: images)
            let thread = ReportedThread(
                number: number,
                name: other.threadName.map { writer.name($0) },
                frames: stack.reported(symbols, images: images, writer: writer)
            )
            return (thread: thread, stack: stack)
        }
        let text = writer.newestLines(of: capture.text)
        var report = Report(
            id: metadata.id,
            date: capture.date ?? metadata.started,
            level: .fatal,
            application: metadata.application,
            release: metadata.release,
            environment: metadata.environment,
            user: metadata.user,
            errors: [],
            context: [:],
            values: metadata.values,
            breadcrumbs: metadata.breadcrumbs
        )
        report.frames = stack.reported(symbols, images: images, writer: writer)
        report.threads = others.map(\.thread)
        report.images = images.reported(for: [stack] + others.map(\.stack), writer: writer)
        report.machine = metadata.machine
        report.session = metadata.session
        report.crash = crash(
            capture,
            reason: CrashReason(capture, innermost: symbols.first ?? [])?.text,
            text: text,
            images: images,
            isRecovered: isRecovered
        )
        return report
    }

    /// Returns the unwind tables of the images, or nil if the image files must not be read.
    private func rules(of images: ImageList) -> (any UnwindRules)? {
        #if os(Linux)
        symbolicator.map { _ in ImageUnwindRules(images) }
        #else
        nil
        #endif
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
            reason: reason.map { writer.text($0) },
            text: text,
            threadName: capture.threadName.map { writer.name($0) },
            thread: signal?.thread ?? 0,
            sender: isSent ? signal?.sender : nil
        )
        crash.registers = capture.namedRegisters(images)
        crash.isTruncated = !capture.isComplete || capture.isTruncated || capture.isLate
        crash.isRecovered = isRecovered || capture.isRecovered
        return crash
    }
}
