// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension CrashReporter {
    /// Who reports, what is reported, and where the reports are.
    public struct Configuration: Sendable {
        /// The program.
        public var application: String
        /// The program's version, such as `films@1.0.2`.
        public var release: String
        /// The path of the folder for reports; made, for its owner alone, when it is not there.
        ///
        /// One that is relative counts from the working directory at the start.
        public var directory: String
        /// Where reports are sent once the user has agreed; nil keeps them on this machine.
        public var sink: (any ReportSink)?
        /// Where the program runs.
        public var environment = "production"
        /// Whether anything is recorded, and whether crashes are.
        public var capture = CaptureMode.automatic
        /// Whether the standard error is led through the reporter, so that a report has the text
        /// of a `fatalError` and what was written before it.
        ///
        /// A program that has led its standard error elsewhere meanwhile keeps that. Processes that
        /// it starts inherit a pipe that nobody reads after its end: one that goes on, and then
        /// writes to its standard error, gets `SIGPIPE`. Give those that may outlive the program a
        /// standard error of their own, such as a file or the null device.
        public var capturesStandardError = false
        /// The part of the recorded errors that is kept, from 0 to 1, to which anything else is
        /// brought; crashes are always kept.
        public var sampleRate = 1.0
        /// Called with each report before it is sent, in the task that sends: nothing else is sent
        /// until it has returned.
        ///
        /// What it returns is sent in place of the report, after it was redacted as well; nil deletes
        /// it. A report that did not arrive comes again, so the answer must not depend on what was
        /// answered before. Sessions and counts of losses do not pass it.
        public var beforeSend: (@Sendable (Report) -> Report?)?
        /// How many reports are kept, at least one; the oldest errors go first, crashes last.
        public var countLimit = 200
        /// How many bytes all reports may have together; the oldest errors go first, crashes last.
        public var byteLimit = 8 << 20
        /// How old a report may become.
        public var ageLimit = Duration.seconds(90 * 86_400)
        /// For how long a start waits until the crash of a run that ended within two seconds of
        /// its start has been sent: the next one may not live longer.
        public var startCrashLimit = Duration.seconds(2)
        /// The date that reports and breadcrumbs get.
        public var now: @Sendable () -> Date = { Date() }

        /// Creates a configuration.
        ///
        /// - Parameters:
        ///   - application: The program.
        ///   - release: The program's version.
        ///   - directory: The path of the folder for reports.
        ///   - sink: Where reports are sent.
        public init(
            application: String,
            release: String,
            directory: String,
            sink: (any ReportSink)? = nil
        ) {
            self.application = application
            self.release = release
            self.directory = directory
            self.sink = sink
        }

        /// Creates a configuration with a sink that is named as in `sink: .sentry(dsn: address)`.
        ///
        /// - Parameters:
        ///   - application: The program.
        ///   - release: The program's version.
        ///   - directory: The path of the folder for reports.
        ///   - sink: Where reports are sent.
        public init<Sink: ReportSink>(
            application: String,
            release: String,
            directory: String,
            sink: Sink
        ) {
            self.init(
                application: application,
                release: release,
                directory: directory,
                sink: sink as (any ReportSink)?
            )
        }
    }
}

extension CrashReporter.Configuration {
    /// Programs change their working directory; the folder must stay the same.
    mutating func makeDirectoryAbsolute() {
        let current = FileManager.default.currentDirectoryPath
        guard !directory.hasPrefix("/"), !current.isEmpty else { return }
        directory = current == "/" ? "/\(directory)" : "\(current)/\(directory)"
    }
}
