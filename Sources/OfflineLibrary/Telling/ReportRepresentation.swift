// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import TidingsDiagnostics

/// All of one report as the API and the command line show it.
package struct ReportRepresentation: Codable, Sendable, Equatable {
    /// What a list shows of it.
    package let summary: ReportSummary
    package let application: String
    package let release: String
    package let environment: String?
    package let user: String?
    package let session: String?
    /// The error, then what caused it.
    package let errors: [ReportedError]
    /// What is known of this error alone.
    package let context: [String: ReportValue]
    /// The keys as they were.
    package let values: [String: ReportValue]
    /// What happened before, the oldest first.
    package let breadcrumbs: [Crumb]
    /// The innermost call first.
    package let frames: [Frame]
    package let crash: Crash?
    package let machine: ReportedMachine?
    /// What would be sent of it, as text.
    package let outgoing: String

    /// Something that happened before.
    package struct Crumb: Codable, Sendable, Equatable {
        package let date: Date
        /// How many seconds before the report; dates of this API are whole seconds.
        package let secondsBefore: Double
        /// `message` or `log`.
        package let origin: String
        package let text: String
        package let location: String?
    }

    /// A function that was running.
    ///
    /// Addresses are text: they do not fit a number of JavaScript.
    package struct Frame: Codable, Sendable, Equatable {
        package let address: String
        package let function: String?
        package let file: String?
        package let line: Int?
        package let image: String?
        package let isSystem: Bool
        package let isInlined: Bool
        /// Whether it was found by looking for addresses of code, and may be of an earlier call.
        package let isScanned: Bool

        package init(
            address: String,
            function: String?,
            file: String?,
            line: Int?,
            image: String?,
            isSystem: Bool,
            isInlined: Bool,
            isScanned: Bool
        ) {
            self.address = address
            self.function = function
            self.file = file
            self.line = line
            self.image = image
            self.isSystem = isSystem
            self.isInlined = isInlined
            self.isScanned = isScanned
        }
    }

    /// How the program crashed.
    package struct Crash: Codable, Sendable, Equatable {
        package let signal: String
        package let number: Int32
        package let code: Int32
        package let address: String?
        package let reason: String?
        package let text: String?
        package let threadName: String?
        package let thread: Int32
        package let sender: Int32?
        package let isTruncated: Bool
        package let isRecovered: Bool
    }

    /// - Parameters:
    ///   - report: The report.
    ///   - outgoing: What would be sent of it.
    package init(_ report: Report, outgoing: String) {
        self.outgoing = outgoing
        summary = ReportSummary(report)
        application = report.application
        release = report.release
        environment = report.environment
        user = report.user
        session = report.session
        errors = report.errors
        var context = report.context
        context[FailureKind.key] = nil
        self.context = context
        values = report.values
        breadcrumbs = report.breadcrumbs.map { Crumb($0, before: report.date) }
        frames = report.frames.map { Frame($0) }
        crash = report.crash.map { Crash($0) }
        machine = report.machine
    }
}

extension ReportRepresentation.Crumb {
    fileprivate init(_ breadcrumb: Breadcrumb, before date: Date) {
        let seconds = date.timeIntervalSince(breadcrumb.date)
        self.init(
            date: breadcrumb.date,
            secondsBefore: seconds.isFinite ? (seconds * 1_000).rounded() / 1_000 : 0,
            origin: breadcrumb.origin.rawValue,
            text: breadcrumb.text,
            location: breadcrumb.location
        )
    }
}

extension ReportRepresentation.Frame {
    fileprivate init(_ frame: ReportedFrame) {
        self.init(
            address: frame.address.hexadecimal,
            function: frame.function,
            file: frame.file,
            line: frame.line,
            image: frame.image,
            isSystem: frame.isSystem,
            isInlined: frame.isInlined,
            isScanned: frame.kind == .scanned
        )
    }
}

extension ReportRepresentation.Crash {
    fileprivate init(_ crash: ReportedCrash) {
        self.init(
            signal: crash.signal,
            number: crash.number,
            code: crash.code,
            address: crash.address?.hexadecimal,
            reason: crash.reason,
            text: crash.text,
            threadName: crash.threadName,
            thread: crash.thread,
            sender: crash.sender,
            isTruncated: crash.isTruncated,
            isRecovered: crash.isRecovered
        )
    }
}

extension UInt64 {
    /// Such as `0x7ffe0010`.
    fileprivate var hexadecimal: String { "0x" + String(self, radix: 16) }
}
