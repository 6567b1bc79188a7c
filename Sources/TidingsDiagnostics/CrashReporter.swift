// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Synchronization
import TidingsLock

/// Records crashes and errors, and the events before them, for the developers of a program.
///
/// Reports stay in a folder on this machine until the user agrees to send reports. The reporter
/// redacts everything when recording, such as queries and credentials in addresses, tokens, and
/// home folders. Records survive the end of the process, even `kill -9`, and the next start turns
/// the records into reports. Recording never waits for the disk and never fails. Losses are
/// counted. All methods are thread-safe.
///
/// A reporter installs handlers for the fatal signals of the process. Start one reporter first
/// thing in the program and keep a reference. A second reporter in the same process records errors
/// only, and its ``state`` reports that another reporter captures crashes.
///
/// A forked child that runs the same program image is a separate process. In the child, the
/// parent's reporter records nothing and captures no crash. The child can start a new reporter.
///
/// ```swift
/// let reporter = try CrashReporter.start(
///     .init(application: "offline", release: "offline@1.0", directory: folder)
/// )
/// reporter.follow(center)
/// reporter.setValue(7, forKey: "download_queue_size")
/// reporter.record(error, context: ["attempt": 2])
/// ```
public final class CrashReporter: Sendable {
    let configuration: Configuration
    let writer: RedactingWriter
    let scope = Lock(Scope())
    private let ownRun: CurrentRun?
    let spool: ReportSpool
    let store: ReporterStore
    /// The sender, or nil without a sink.
    let sender: ReportSender?
    /// How the previous run ended.
    let previousRun: PreviousRun
    let followed = Lock(FollowedCenters())
    /// The serial queue that assembles reports.
    let queue = DispatchQueue(label: "tidings.diagnostics", qos: .utility)
    /// Whether `queue` is scheduled to assemble reports.
    let isScheduled = Atomic(false)
    /// The number of errors dropped by sampling.
    let sampled = Atomic(0)
    /// The part of `sampled` that the store has not counted yet.
    let uncountedSamples = Atomic(0)
    let isClosed = Atomic(false)
    let watches = Lock<[HangWatch]>([])
    /// The maximum time to wait for the stack of a thread that hangs.
    let stackTimeLimit: Duration
    let eventBuilder: EventReportBuilder
    let endedRunReporter: EndedRunReporter
    /// The attempt to read the run whose reports are being assembled.
    let reading = Lock<ReadingAttempt?>(nil)
    /// The capture, or nil if crashes are not captured.
    let capture: CrashCapture?
    let obstacle: CaptureObstacle?
    /// Whether the last two starts failed, perhaps because of an ended run, which is then not read.
    let followsFailedStarts: Bool
    let sleep: @Sendable (Duration) async throws -> Void

    init(
        _ configuration: Configuration,
        _ environment: Environment,
        parts: Parts,
        previousRun: PreviousRun
    ) {
        self.configuration = configuration
        self.previousRun = previousRun
        (store, spool, ownRun) = (parts.store, parts.spool, parts.run)
        stackTimeLimit = environment.stackTimeLimit
        sleep = { [clock = environment.clock] in try await clock.sleep(for: $0) }
        writer = RedactingWriter(redactor: environment.redactor)
        let symbolicator = environment.symbolicator
        eventBuilder = EventReportBuilder(symbolicator: symbolicator, writer: writer)
        endedRunReporter = EndedRunReporter(
            crashBuilder: CrashReportBuilder(symbolicator: symbolicator, writer: writer),
            eventBuilder: eventBuilder,
            spool: spool,
            store: store
        )
        sender = configuration.sink.map { [spool, store, writer] sink in
            ReportSender(
                spool: spool,
                store: store,
                sink: sink,
                clock: environment.clock,
                options: .init(
                    beforeSend: configuration.beforeSend,
                    now: configuration.now,
                    writer: writer
                )
            )
        }
        obstacle = parts.obstacle
        followsFailedStarts = parts.followsFailedStarts
        capture = parts.capture
    }

    /// The current run, or nil if nothing is recorded, as in a forked child.
    var run: CurrentRun? {
        guard let ownRun, ownRun.isOwn else { return nil }
        return ownRun
    }

    deinit {
        endWatches()
        capture?.stop()
        run?.end()
        sender?.stop()
    }
}
