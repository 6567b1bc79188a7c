// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import TidingsDiagnostics

/// The whole content of one report, for the API and the commands.
package struct ReportRepresentation: Codable, Sendable, Equatable {
    /// The entry in the list of reports.
    package let summary: ReportSummary
    /// The name of the program.
    package let application: String
    /// The name and version of the program, such as `offline@1.0.0`.
    package let release: String
    /// The environment of the program, such as `production`.
    package let environment: String?
    /// The user that the program has set.
    package let user: String?
    /// The error, followed by the underlying causes.
    package let errors: [ReportedError]
    /// The values that belong only to this error.
    package let context: [String: ReportValue]
    /// The values of the keys at the time of the report.
    package let values: [String: ReportValue]
    /// The breadcrumbs, with the oldest first.
    package let breadcrumbs: [Crumb]
    /// The frames, with the innermost call first.
    package let frames: [Frame]
    /// The other threads at a crash, as far as the crash handler could read the stacks.
    package let threads: [Thread]
    /// The crash, or nil for an error.
    package let crash: Crash?
    /// The system, the kernel, the processor and the locale, as far as they are known.
    package let machine: [String: String]
    /// The report in the form in which the program sends it.
    package let outgoing: String

    /// A breadcrumb.
    package struct Crumb: Codable, Sendable, Equatable {
        /// When the breadcrumb was recorded.
        package let date: Date
        /// The seconds before the report, because the API's dates are whole seconds.
        package let secondsBefore: Double
        /// The category, such as `message` or `log`.
        package let origin: String
        /// The message or the line of the log.
        package let text: String
        /// The source location that posted the message.
        package let location: String?
    }

    /// A frame of the call stack.
    ///
    /// Addresses are strings, because they exceed the range of JavaScript's numbers.
    package struct Frame: Codable, Sendable, Equatable {
        /// The hexadecimal address of the call.
        package let address: String
        /// The function, or nil without a symbol.
        package let function: String?
        /// The source file, or nil without debug information.
        package let file: String?
        /// The line in the source file.
        package let line: Int?
        /// The program or library that contains the address.
        package let image: String?
        /// Whether the frame belongs to the system.
        package let isSystem: Bool
        /// Whether the compiler has inlined the function.
        package let isInlined: Bool
        /// Whether a scan of the stack found the address, so that the address may belong to an
        /// earlier call.
        package let isScanned: Bool

        /// Creates a frame from its values.
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

    /// A thread that ran beside the crashed thread.
    package struct Thread: Codable, Sendable, Equatable {
        /// The system's number of the thread.
        package let number: Int32
        /// The name of the thread.
        package let name: String?
        /// The calls of the thread, with the innermost first.
        package let frames: [Frame]
    }

    /// The crash of a report.
    package struct Crash: Codable, Sendable, Equatable {
        /// The name of the signal, such as `SIGSEGV`.
        package let signal: String
        /// The hexadecimal address of the fault, for signals that have one.
        package let address: String?
        /// The message of the runtime, such as `Fatal error: Index out of range`.
        package let reason: String?
        /// The last lines of the standard error.
        package let text: String?
        /// The name of the thread that crashed.
        package let threadName: String?
        /// The system's number of the thread that crashed.
        package let thread: Int32
        /// The process that sent the signal, if another process did.
        package let sender: Int32?
        /// Whether the record of the crash is incomplete.
        package let isTruncated: Bool
        /// Whether the program continued after the signal.
        package let isRecovered: Bool
    }

    /// Creates the representation of a report.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - outgoing: The report in the form in which the program sends it.
    package init(_ report: Report, outgoing: String) {
        self.outgoing = outgoing
        summary = ReportSummary(report)
        application = report.application
        release = report.release
        environment = report.environment
        user = report.user
        errors = report.errors
        var context = report.context
        context[FailureKind.key] = nil
        self.context = context
        values = report.values
        breadcrumbs = report.breadcrumbs.map { Crumb($0, before: report.date) }
        frames = report.frames.map { Frame($0) }
        threads = report.threads.map { thread in
            Thread(
                number: thread.number,
                name: thread.name,
                frames: thread.frames.map { Frame($0) }
            )
        }
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
            origin: breadcrumb.category,
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
            isScanned: frame.isScanned
        )
    }
}

extension ReportRepresentation.Crash {
    fileprivate init(_ crash: ReportedCrash) {
        self.init(
            signal: crash.signal,
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
    /// The number with a prefix, such as `0x7ffe0010`.
    fileprivate var hexadecimal: String { "0x" + String(self, radix: 16) }
}
