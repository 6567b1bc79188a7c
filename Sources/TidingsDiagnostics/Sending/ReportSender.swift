// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsFiles
import TidingsLock

/// Sends reports from a spool to a sink, one at a time, as far as consent and the server allow.
///
/// Of all processes that share a folder, one process sends at a time. The worker's task calls the
/// sink and `beforeSend` without holding a lock.
final class ReportSender: Sendable {
    struct Options: Sendable {
        /// Changes a report before each attempt to send the report, or drops and counts the report
        /// with nil.
        var beforeSend: (@Sendable (Report) -> Report?)?
        var backoff = SendingBackoff()
        /// Returns a number from 0 to 1 for the random part of a delay.
        var random: @Sendable () -> Double = { Double.random(in: 0...1) }
        var now: @Sendable () -> Date = { Date() }
        /// Redacts the messages of the sink.
        var writer = RedactingWriter(redactor: Redactor())
    }

    struct State {
        var machine = ReportSenderState()
        var worker: Task<Void, Never>?
        var sending: Task<ReportReceipt, Never>?
        var progress = Progress()
        var waiters: [Int: FlushWaiter] = [:]
        var lastWaiter = 0
    }

    let spool: ReportSpool
    let store: ReporterStore
    let sink: any ReportSink
    let options: Options
    let state = Lock(State())
    private let woken = WakeSignal()
    let sleep: @Sendable (Duration) async throws -> Void

    /// Creates a sender that sends nothing before the first call of `wake()`.
    init(
        spool: ReportSpool,
        store: ReporterStore,
        sink: any ReportSink,
        clock: some Clock<Duration> = ContinuousClock(),
        options: Options = Options()
    ) {
        self.spool = spool
        self.store = store
        self.sink = sink
        self.options = options
        sleep = { duration in try await clock.sleep(for: duration) }
        // Creates the lock file while there is space, so that a full disk does not prevent sending.
        _ = try? FileLock.tryAcquire(claimPath)
    }

    deinit { state.withLock { $0.worker }?.cancel() }

    /// The path of the lock for sending.
    var claimPath: String { "\(store.directory)/send.lock" }

    /// Sends pending reports as soon as pauses and delays allow.
    func wake() {
        let isAsleep = state.withLock { state in
            let action = state.machine.wake()
            if action == .start { state.worker = makeWorker() }
            return action == .endSleep
        }
        if isAsleep { woken.raise() }
    }

    /// Sends pending reports without waiting for the delay after failures.
    ///
    /// A pause requested by the server still applies.
    func sendNow() {
        store.update { $0.retryNow() }
        wake()
    }

    /// Stores the consent.
    ///
    /// The consent takes effect immediately. Revoking the consent cancels the delivery in progress.
    func setConsent(_ consent: ReportConsent) {
        guard consent != .given else {
            store.setConsent(.given)
            return wake()
        }
        hold()
        defer { release() }
        store.setConsent(consent)
    }

    /// Deletes everything recorded before the call and cancels the delivery in progress.
    func deleteUnsent() async throws(DiagnosticsError) {
        hold()
        defer { release() }
        store.update { $0.removeUnsent() }
        try await spool.deleteAll()
    }

    /// Deletes one report and cancels the delivery in progress.
    ///
    /// - Returns: Whether the report existed.
    func deleteUnsent(_ id: Report.ID) async throws(DiagnosticsError) -> Bool {
        hold()
        defer { release() }
        return try await spool.remove(id)
    }

    /// Ends sending immediately.
    ///
    /// The sender starts no further delivery and cancels the delivery in progress.
    func stop() {
        let (sending, worker, continuations) = state.withLock { state in
            state.machine.close()
            return (state.sending, state.worker, state.removeWaiters(false))
        }
        sending?.cancel()
        // Ends the worker's sleep.
        worker?.cancel()
        for continuation in continuations { continuation.resume(returning: false) }
    }

    /// Ends sending and waits until the sink has returned.
    func close() async {
        stop()
        await state.withLock { $0.worker }?.value
    }

    /// Cancels the delivery in progress and starts no further delivery until `release()`.
    private func hold() {
        let sending = state.withLock { state in
            state.machine.hold()
            return state.sending
        }
        sending?.cancel()
    }

    private func release() {
        state.withLock { $0.machine.release() }
        wake()
    }

    /// Starts a worker, which does not retain the sender during sleep.
    private func makeWorker() -> Task<Void, Never> {
        Task.detached(priority: .utility) { [weak self, woken, sleep] in
            while let delay = await self?.work() {
                await woken.wait(until: delay, sleep: sleep)
            }
        }
    }
}
