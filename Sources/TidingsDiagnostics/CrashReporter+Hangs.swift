// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TidingsLock

extension CrashReporter {
    /// Watches an actor, and records an error with the stack of the actor's thread after a hang.
    ///
    /// Nothing is watched without this call. A thread asks the actor to run a function twice within
    /// the limit. An actor that hangs causes one report per hang, and a breadcrumb when the actor
    /// continues. The stack belongs to the thread on which the actor ran last. The stack is exact
    /// for the main actor and for an actor whose executor has one thread. Watching requires the
    /// capture of crashes on Linux, and interrupts the thread by `SIGPROF`, so a waiting system
    /// call may return early. The watch ends with the actor or the reporter.
    ///
    /// ```swift
    /// reporter.watchHangs(of: MainActor.shared, longerThan: .seconds(3))
    /// ```
    ///
    /// - Parameters:
    ///   - actor: The actor, which is not retained.
    ///   - limit: The time after which the actor counts as hanging.
    public func watchHangs(of actor: some Actor, longerThan limit: Duration = .seconds(2)) {
        guard isRecording else { return }
        // The closures would otherwise retain the actor.
        let isMain = actor is MainActor
        let name = isMain ? "the main actor" : "an actor"
        let watch = HangWatch(limit: limit, pause: limit / 2)
        watches.withLock { $0.append(watch) }
        watch.start(actor) { [weak self] hang in
            self?.record(hang, of: name, isMain: isMain)
        } onEnd: { [weak self] duration in
            let seconds = (duration / .seconds(1) * 1_000).rounded() / 1_000
            self?.log("\(name) goes on", category: "hang", data: ["seconds": .number(seconds)])
        } whenOver: { [weak self] in
            self?.watches.withLock { $0.removeAll { $0 === watch } }
        }
    }

    func endWatches() {
        let ended = watches.withLock { watches in
            defer { watches = [] }
            return watches
        }
        for watch in ended { watch.stop() }
    }

    private func record(_ hang: HangWatch.Hang, of name: String, isMain: Bool) {
        guard isRecording, let run else { return }
        let thread = isMain ? getpid() : hang.thread
        let stack = thread.flatMap { capture?.stack(of: $0, within: stackTimeLimit) }
        let (scope, breadcrumbs) = scope.withLock { ($0.record, $0.breadcrumbs) }
        let error = ReportedError(
            domain: "TidingsDiagnostics.Hang",
            code: isMain ? "mainActor" : "actor",
            message: "Hang: \(name) has not run for \(hang.limit)."
        )
        var report =
            stack.map { stack in
                let metadata = CrashMetadata(
                    id: UUID().uuidString.lowercased(),
                    application: run.metadata.application,
                    release: run.metadata.release,
                    environment: run.metadata.environment,
                    started: configuration.now()
                )
                return endedRunReporter.crashBuilder.report(
                    stack,
                    known: nil,
                    isRecovered: false,
                    metadata: metadata
                )
            }
            ?? Report(
                application: run.metadata.application,
                release: run.metadata.release
            )
        report.context["thread"] = report.crash?.threadName.map { .text($0) }
        report.crash = nil
        report.date = configuration.now()
        report.level = .error
        report.errors = [error]
        report.environment = run.metadata.environment
        report.user = scope.user
        report.values = scope.values
        report.breadcrumbs = breadcrumbs.inOrder
        report.add(run.metadata)
        queue.async { [self, report] in
            spool.add(report)
            sender?.wake()
        }
    }
}
