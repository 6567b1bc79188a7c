// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Tidings

extension CrashReporter {
    /// Begins to record.
    ///
    /// Takes some milliseconds. What earlier runs have left becomes reports afterwards, on a queue
    /// of its own; only when the run before crashed within two seconds of its start, and reports
    /// may be sent, this waits until that has been sent, or as long as the configuration allows.
    ///
    /// - Parameter configuration: Who reports, and where the reports are.
    /// - Returns: The reporter; keep it.
    /// - Throws: ``DiagnosticsError`` with `.folderUnusable`.
    public static func start(
        _ configuration: Configuration
    ) throws(DiagnosticsError) -> CrashReporter {
        try start(configuration, Surroundings())
    }

    /// What a reporter works with besides its configuration.
    struct Surroundings: Sendable {
        #if os(Linux)
        // One for all reporters of the process: what it remembers holds for each.
        private static let ownSymbolicator: (any Symbolicator)? = CachedSymbolicator(
            RuntimeSymbolicator()
        )
        #else
        private static let ownSymbolicator: (any Symbolicator)? = nil
        #endif

        var redactor = Redactor()
        var symbolicator: (any Symbolicator)? = Self.ownSymbolicator
        var clock: any Clock<Duration> = ContinuousClock()
    }

    /// What is made before a reporter.
    struct Parts: Sendable {
        let store: ReporterStore
        let spool: ReportSpool
        let run: CurrentRun?
        /// Why crashes are not captured; nil when they are to be.
        let obstacle: CaptureStatus.Reason?
    }

    static func start(
        _ configuration: Configuration,
        _ surroundings: Surroundings
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
        let ended = isRecording ? takeEnded(configuration, attempt, spool) : []
        let newest = ended.last.map { EndedRun($0) }
        if attempt.isLastOfSeveralThatFailed { obstacle = obstacle ?? .failedStarts }
        let reporter = CrashReporter(
            configuration,
            surroundings,
            parts: Parts(
                store: store,
                spool: spool,
                run: isRecording
                    ? CurrentRun(configuration, scribe: Scribe(redactor: surroundings.redactor))
                    : nil,
                obstacle: obstacle
            ),
            // The run before this one was put aside unread; of an older one nobody asks.
            previousRun: attempt.isLastOfSeveralThatFailed ? .unknown : newest?.end ?? .unknown
        )
        let isDone = reporter.begin(after: newest, and: ended.dropLast())
        attempt.succeed()
        reporter.sendAtOnce(newest, when: isDone)
        return reporter
    }

    /// Takes what earlier runs have left, the newest last; what may have ended two starts is put
    /// aside unread.
    private static func takeEnded(
        _ configuration: Configuration,
        _ attempt: StartAttempt,
        _ spool: ReportSpool
    ) -> [RunFolder] {
        let folders = RunFolder.takeEnded(in: configuration.directory)
        guard attempt.isLastOfSeveralThatFailed, let newest = folders.last else { return folders }
        spool.folder.quarantine.take(newest.path)
        attempt.count(ReportLoss(reason: .unreadable, category: .error, quantity: 1))
        return folders.dropLast()
    }

    /// Counts this run, and makes reports of the others; those are read when their turn comes.
    ///
    /// - Returns: What is signalled when they are made.
    private func begin(
        after newest: EndedRun?,
        and others: ArraySlice<RunFolder>
    ) -> DispatchSemaphore {
        let isDone = DispatchSemaphore(value: 0)
        queue.async { [self] in
            noteStart()
            writeImages()
            for folder in others { makeReports(of: EndedRun(folder)) }
            if let newest { makeReports(of: newest) }
            courier?.wake()
            isDone.signal()
        }
        return isDone
    }

    /// Sends the crash of a run that did not live long, as this one may not either.
    private func sendAtOnce(_ newest: EndedRun?, when isDone: DispatchSemaphore) {
        guard let courier, let newest, newest.crashedSoon(Self.startTime) else { return }
        let end = ContinuousClock.now + configuration.startCrashLimit
        guard consent == .given, isDone.wait(for: configuration.startCrashLimit) else { return }
        let limit = max(.zero, end - ContinuousClock.now)
        let isSent = DispatchSemaphore(value: 0)
        Task.detached {
            _ = await courier.flush(timeout: limit)
            isSent.signal()
        }
        _ = isSent.wait(for: limit)
    }

    /// A crash within so many seconds may be one that comes at each start.
    private static var startTime: TimeInterval { 2 }

    /// Writes what is loaded, for errors whose reports the next run makes; a capture has done so.
    private func writeImages() {
        guard capture == nil, let path = run?.places?.images,
            let images = events.symbolicator?.captureImages(),
            let data = try? JSONEncoder().encode(images)
        else { return }
        // Without it these reports have addresses and no functions.
        try? SystemFile.write(data, to: path)
    }

    private func noteStart() {
        guard let facts = run?.facts else { return }
        store.update { state in
            state.countRun(of: facts.release, at: facts.started)
            state.note(
                ReportedSession(
                    id: facts.session,
                    user: nil,
                    isFirst: true,
                    sequence: 0,
                    status: .running,
                    started: facts.started,
                    date: facts.started,
                    errors: 0,
                    release: facts.release,
                    environment: facts.environment
                )
            )
        }
    }
}

extension DispatchSemaphore {
    fileprivate func wait(for limit: Duration) -> Bool {
        wait(timeout: .now() + limit / .seconds(1)) == .success
    }
}

extension StartAttempt {
    /// Whether the two starts before this one did not come to their end.
    fileprivate var isLastOfSeveralThatFailed: Bool { failedBefore >= 2 }
}
