// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsFiles
import TidingsLock

/// Sends reports from a spool to a sink, one at a time, as consent and the server allow.
///
/// Of all processes that share a folder, one sends at a time. The sink and `beforeSend` are called
/// from the worker's task, without a lock.
final class ReportSender: Sendable {
    struct Options: Sendable {
        /// Changes a report before each attempt to send it; nil drops the report, which is counted.
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
        var timer: Task<Void, Never>?
        var progress = Progress()
        var waiters: [Int: FlushWaiter] = [:]
        var lastWaiter = 0
    }

    let spool: ReportSpool
    let store: ReporterStore
    let sink: any ReportSink
    let options: Options
    let state = Lock(State())
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
        // Creates the file of the lock while there is space, so that a full disk does not prevent
        // sending.
        _ = try? FileLock.tryAcquire(claimPath)
    }

    deinit { state.withLock { $0.timer }?.cancel() }

    /// The path of the lock for sending.
    var claimPath: String { "\(store.directory)/send.lock" }

    /// Sends pending reports as soon as pauses and delays allow.
    func wake() {
        // Canceled before the worker can set a new timer.
        state.withLock { $0.removeTimer() }?.cancel()
        let timer = state.withLock { state in
            state.machine.wake() ? begin(&state) : nil
        }
        timer?.cancel()
    }

    /// Sends pending reports without waiting for the delay after failures; a pause requested by the
    /// server still applies.
    func sendNow() {
        store.update { $0.retryNow() }
        wake()
    }

    /// Stores the consent.
    ///
    /// Takes effect at once: revoking it cancels the delivery in progress.
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

    /// Ends sending at once: starts no further delivery and cancels the one in progress.
    func stop() {
        let (sending, timer, continuations) = state.withLock { state in
            state.machine.close()
            return (state.sending, state.timer, state.removeWaiters(false))
        }
        sending?.cancel()
        timer?.cancel()
        for continuation in continuations { continuation.resume(returning: false) }
    }

    /// Ends sending and waits until the sink has returned.
    func close() async {
        stop()
        await state.withLock { $0.worker }?.value
    }

    /// Cancels the delivery in progress and starts no other one until `release()`.
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

    /// Starts a worker and returns the timer to cancel.
    func begin(_ state: inout State) -> Task<Void, Never>? {
        state.worker = Task.detached(priority: .utility) { [self] in await work() }
        return state.removeTimer()
    }
}

extension ReportSender.State {
    fileprivate mutating func removeTimer() -> Task<Void, Never>? {
        defer { timer = nil }
        return timer
    }
}
