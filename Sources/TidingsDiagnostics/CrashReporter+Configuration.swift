// SPDX-License-Identifier: Apache-2.0
import Foundation

extension CrashReporter {
    /// The settings of a ``CrashReporter``.
    public struct Configuration: Sendable {
        /// The name of the program.
        public var application: String
        /// The version of the program, such as `films@1.0.2`.
        public var release: String
        /// The path of the folder for reports.
        ///
        /// A missing folder is created so that only the owner can read the contents. A relative
        /// path is resolved against the working directory at the start.
        public var directory: String
        /// The destination for reports after the user has agreed, or nil to keep reports on this
        /// machine.
        public var sink: (any ReportSink)?
        /// The environment of the program, such as `production`.
        public var environment = "production"
        /// The distribution of the release, such as a build number, or nil by default.
        public var dist: String?
        /// The name of the machine, or nil by default because the name may contain the name of a
        /// user.
        public var serverName: String?
        /// The paths of files, such as a log, whose ends are attached to the reports of crashes.
        ///
        /// The default is empty.
        ///
        /// The next start reads at most four files, 16 KiB of each, with the contents at that time.
        /// The contents are redacted as text. See ``Report/attachments``.
        public var crashAttachments: [String] = []
        /// Whether the reporter records errors and captures crashes.
        public var capture = CaptureMode.automatic
        /// Whether the reporter captures the standard error.
        ///
        /// With the captured lines, a report contains the text of a `fatalError` and the lines
        /// before it.
        ///
        /// The reporter replaces the standard error by a pipe. If the program redirects the
        /// standard error afterwards, that redirection stays. Child processes inherit the pipe,
        /// which has no reader after the program ends. A child that outlives the program and writes
        /// to the standard error receives `SIGPIPE`. Give such a child a separate standard error,
        /// for example a file or the null device.
        public var capturesStandardError = false
        /// The fraction of recorded errors to keep, clamped to 0...1.
        ///
        /// Crashes are always kept.
        public var sampleRate = 1.0
        /// A closure that is called with each report before the report is sent.
        ///
        /// The closure runs in the sending task, so the next report waits until the closure
        /// returns. The reporter redacts the returned report and sends the result instead. A
        /// returned nil deletes the report. A failed delivery is retried with the same report, so
        /// the result must not depend on earlier calls. Sessions and loss counts do not pass
        /// through this closure.
        public var beforeSend: (@Sendable (Report) -> Report?)?
        /// The maximum number of reports, at least one.
        ///
        /// The oldest errors are removed first, and crashes last.
        public var countLimit = 200
        /// The maximum size of all reports in bytes.
        ///
        /// The oldest errors are removed first, and crashes last.
        public var byteLimit = 8 << 20
        /// The maximum age of a report.
        public var ageLimit = Duration.seconds(90 * 86_400)
        /// The time that a start waits until the crash report of the previous run is sent.
        ///
        /// A start waits only if the previous run crashed within two seconds of its start.
        ///
        /// A run that crashes at every start may not live long enough to send the report later.
        var startCrashLimit = Duration.seconds(2)
        /// Returns the date for a new report or breadcrumb.
        var now: @Sendable () -> Date = { Date() }

        /// Creates a configuration.
        ///
        /// - Parameters:
        ///   - application: The name of the program.
        ///   - release: The version of the program.
        ///   - directory: The path of the folder for reports.
        ///   - sink: The destination for reports.
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

        /// Creates a configuration with a concrete sink, which allows `sink: .sentry(dsn:
        /// address)`.
        ///
        /// - Parameters:
        ///   - application: The name of the program.
        ///   - release: The version of the program.
        ///   - directory: The path of the folder for reports.
        ///   - sink: The destination for reports.
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
    /// Makes the path of the report folder absolute.
    ///
    /// Programs change the working directory, and the report folder must not move then.
    mutating func makeDirectoryAbsolute() {
        let current = FileManager.default.currentDirectoryPath
        guard !directory.hasPrefix("/"), !current.isEmpty else { return }
        directory = current == "/" ? "/\(directory)" : "\(current)/\(directory)"
    }
}
