// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Tidings
import TidingsFiles

extension CrashReporter {
    /// Starts recording.
    ///
    /// The call takes a few milliseconds. A background queue then assembles the reports of earlier
    /// runs. If the previous run crashed within two seconds of its start and reports may be sent,
    /// the call waits for at most two seconds until that crash is sent.
    ///
    /// - Parameter configuration: The settings of the reporter.
    /// - Returns: The reporter, to which the program must keep a reference.
    /// - Throws: ``DiagnosticsError`` with `.folderUnusable`.
    public static func start(
        _ configuration: Configuration
    ) throws(DiagnosticsError) -> CrashReporter {
        try start(configuration, Environment())
    }

    /// The dependencies of a reporter besides the configuration, which tests replace.
    struct Environment: Sendable {
        #if os(Linux)
        // All reporters of the process share one symbolicator, because the cache is valid for every
        // reporter.
        private static let ownSymbolicator: (any Symbolicator)? = CachedSymbolicator(
            DebugSymbolicator()
        )
        #else
        private static let ownSymbolicator: (any Symbolicator)? = nil
        #endif

        var redactor = Redactor()
        var symbolicator: (any Symbolicator)? = Self.ownSymbolicator
        var clock: any Clock<Duration> = ContinuousClock()
        /// The maximum elapsed time of a crash report, with zero for the limit of the handler.
        var crashTimeLimit = Duration.zero
        /// The maximum time to wait for the stack of a thread that hangs.
        var stackTimeLimit = Duration.seconds(2)
    }

    /// The components that are created before the reporter.
    struct Parts: Sendable {
        let store: ReporterStore
        let spool: ReportSpool
        let run: CurrentRun?
        let capture: CrashCapture?
        /// The reason why crashes are not captured, or nil if crashes are captured.
        let obstacle: CaptureObstacle?
        let followsFailedStarts: Bool
    }

    static func start(
        _ configuration: Configuration,
        _ environment: Environment
    ) throws(DiagnosticsError) -> CrashReporter {
        var configuration = configuration
        configuration.makeDirectoryAbsolute()
        let store = ReporterStore(directory: configuration.directory)
        let spool = try ReportSpool(
            folder: ReportFolder(
                path: configuration.directory,
                countLimit: max(1, configuration.countLimit),
                byteLimit: max(1, configuration.byteLimit),
                ageLimit: configuration.ageLimit / .seconds(1)
            ),
            now: configuration.now,
            onLoss: { loss in store.update { $0.count(loss) } }
        )
        let attempt = StartAttempt.begin(store)
        var obstacle = configuration.capture.obstacle()
        let isRecording = obstacle == nil || configuration.capture == .errorsOnly
        if attempt.followsRepeatedFailures { obstacle = obstacle ?? .failedStarts }
        let writer = RedactingWriter(redactor: environment.redactor)
        let run = isRecording ? CurrentRun(configuration, writer: writer) : nil
        // The capture is armed first, so that a crash during the reading of earlier records is
        // captured.
        let capture =
            obstacle == nil
            ? run.flatMap { Self.capture($0, with: configuration, in: environment) } : nil
        // After two failed starts, the newest run may be the cause, and the next start reads that
        // run.
        let mayRead = isRecording && !attempt.followsRepeatedFailures
        let ended =
            mayRead
            ? RunFolder.acquireEnded(in: configuration.directory, except: run?.ownFolder) : []
        let newest = ended.last.flatMap { Self.read($0, isWatched: capture?.isArmed ?? false) }
        let reporter = CrashReporter(
            configuration,
            environment,
            parts: Parts(
                store: store,
                spool: spool,
                run: run,
                capture: capture,
                obstacle: obstacle,
                followsFailedStarts: attempt.followsRepeatedFailures
            ),
            previousRun: newest?.end ?? .unknown
        )
        let isDone = reporter.begin(after: newest, and: newest == nil ? ended : ended.dropLast())
        attempt.succeed()
        // `queue` may hold the lock for longer than a start may wait.
        reporter.queue.async { store.writePendingChanges() }
        reporter.sendStartupCrash(newest, when: isDone)
        return reporter
    }

    /// Reads a run, or returns nil for a run whose reading has ended several processes.
    private static func read(_ folder: RunFolder, isWatched: Bool) -> EndedRun? {
        let attempt = ReadingAttempt(folder, isWatched: isWatched)
        defer { attempt.end() }
        return EndedRunReporter.read(folder, attempt)
    }

    /// Counts this run and assembles the reports of the ended runs on `queue`.
    ///
    /// The older runs are read one by one, each immediately before the assembly of the reports.
    ///
    /// - Returns: A semaphore that is signaled when all reports are assembled.
    private func begin(
        after newest: EndedRun?,
        and others: [RunFolder]
    ) -> DispatchSemaphore {
        let isDone = DispatchSemaphore(value: 0)
        queue.async { [self] in
            recordStart()
            writeImages()
            for folder in others { makeReports(of: folder) }
            if let newest { makeReports(of: newest.folder, known: newest) }
            sender?.wake()
            isDone.signal()
        }
        return isDone
    }

    /// Sends the crash of a run that crashed at its start, because this run may crash just as
    /// early.
    private func sendStartupCrash(_ newest: EndedRun?, when isDone: DispatchSemaphore) {
        guard let sender, let newest, newest.crashedWithin(Self.startupTime) else { return }
        let end = ContinuousClock.now + configuration.startCrashLimit
        guard consent == .given, isDone.wait(for: configuration.startCrashLimit) else { return }
        let limit = max(.zero, end - ContinuousClock.now)
        let isSent = DispatchSemaphore(value: 0)
        Task.detached {
            _ = await sender.flush(timeout: limit)
            isSent.signal()
        }
        _ = isSent.wait(for: limit)
    }

    /// The number of seconds within which a crash may recur at every start.
    private static var startupTime: TimeInterval { 2 }

    /// Writes the list of loaded images for errors that the next run reports.
    ///
    /// The method is needed only without a capture, because a capture writes the list.
    private func writeImages() {
        guard capture == nil, let path = run?.paths?.images,
            let images = eventBuilder.symbolicator?.captureImages(),
            let data = try? JSONEncoder().encode(images)
        else { return }
        // Without the list, these reports contain addresses but no function names.
        try? SystemFile.create(path, content: data)
    }

    private func recordStart() {
        guard let metadata = run?.metadata else { return }
        store.update { $0.recordStart(of: metadata) }
    }
}

extension DispatchSemaphore {
    fileprivate func wait(for limit: Duration) -> Bool {
        wait(timeout: .now() + limit / .seconds(1)) == .success
    }
}

extension StartAttempt {
    /// Whether at least two consecutive starts before this one failed.
    fileprivate var followsRepeatedFailures: Bool { failedBefore >= 2 }
}
