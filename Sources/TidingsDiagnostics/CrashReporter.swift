// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Synchronization
import Tidings

/// Records crashes and errors, and what happened before them, for the developers of a program.
///
/// Reports stay in a folder on this machine until the user agrees that they are sent. Everything is
/// redacted when it is recorded: queries and credentials of addresses, tokens, home folders. What
/// was recorded is there for the next start whatever ends the process, `kill -9` included.
/// Recording never waits for the disk and never fails; what could not be kept is counted. All
/// methods are safe from any thread.
///
/// A reporter takes the signals of its process by which programs crash: start one, first of all,
/// and keep it. A second one in the same process records errors, and says in ``state`` that it
/// takes no signals.
///
/// A child that was forked, and is still the same program, is another process: there a reporter of
/// its parent records nothing and reports no crash. It can start one of its own.
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
    let scribe: Scribe
    let scope = Lock(Scope())
    private let ownRun: CurrentRun?
    let spool: ReportSpool
    let store: ReporterStore
    /// Nil when there is nowhere to send to.
    let courier: Courier?
    /// How the run before this one ended.
    ///
    /// Of several processes that share a folder, the one that began last of those that have ended.
    public let previousRun: PreviousRun
    let followed = Lock(FollowedCenters())
    /// Makes reports of what was recorded, one after the other.
    let queue = DispatchQueue(label: "tidings.diagnostics", qos: .utility)
    /// Whether the queue is about to look for what was recorded.
    let isWoken = Atomic(false)
    /// How many errors chance has left out.
    let sampled = Atomic(0)
    /// How many of these the store does not know yet.
    let untoldSamples = Atomic(0)
    let isClosed = Atomic(false)
    let events: EventAssembly
    let endedRuns: EndedRunReports
    /// The run that reports are being made of.
    let reading = Lock<RunFolder?>(nil)
    /// Nil when nothing is recorded.
    let capture: CrashCapture?
    let obstacle: CaptureStatus.Reason?
    let sleep: @Sendable (Duration) async throws -> Void

    init(
        _ configuration: Configuration,
        _ surroundings: Surroundings,
        parts: Parts,
        previousRun: PreviousRun
    ) {
        self.configuration = configuration
        self.previousRun = previousRun
        (store, spool, ownRun) = (parts.store, parts.spool, parts.run)
        sleep = { [clock = surroundings.clock] in try await clock.sleep(for: $0) }
        scribe = Scribe(redactor: surroundings.redactor)
        let symbolicator = surroundings.symbolicator
        events = EventAssembly(symbolicator: symbolicator, scribe: scribe)
        endedRuns = EndedRunReports(
            crashes: CrashAssembly(symbolicator: symbolicator, scribe: scribe),
            events: events,
            spool: spool,
            store: store
        )
        courier = configuration.sink.map { [spool, store, scribe] sink in
            Courier(
                spool: spool,
                store: store,
                sink: sink,
                clock: surroundings.clock,
                options: .init(
                    beforeSend: configuration.beforeSend,
                    now: configuration.now,
                    scribe: scribe
                )
            )
        }
        obstacle = parts.obstacle
        capture = Self.capture(parts, configuration, surroundings)
    }

    /// What is being recorded; nil when nothing is, as in a child that was forked.
    var run: CurrentRun? {
        guard let ownRun, ownRun.isOwn else { return nil }
        return ownRun
    }

    deinit {
        capture?.stop()
        run?.end()
        courier?.stop()
    }
}
