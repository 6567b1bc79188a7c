// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// Brings reports from a spool to a sink, one at a time, as far as consent and the server allow.
///
/// Of the processes that share a folder one at a time sends. The sink and `beforeSend` are called
/// from the worker's task, under no lock.
final class Courier: Sendable {
    struct Options: Sendable {
        /// Changes a report before it is sent, each time it is; nil drops it, and that is counted.
        var beforeSend: (@Sendable (Report) -> Report?)?
        var delay = SendingDelay()
        /// From 0 to 1, for the part of a delay that is left to chance.
        var random: @Sendable () -> Double = { Double.random(in: 0...1) }
        var now: @Sendable () -> Date = { Date() }
        /// Redacts what a sink says.
        var scribe = Scribe(redactor: Redactor())
    }

    struct State {
        var machine = CourierState()
        var worker: Task<Void, Never>?
        var sending: Task<ReportReceipt, Never>?
        var alarm: Task<Void, Never>?
        var progress = Progress()
        var waits: [Int: FlushWait] = [:]
        var lastWait = 0
    }

    let spool: ReportSpool
    let store: ReporterStore
    let sink: any ReportSink
    let options: Options
    let state = Lock(State())
    let sleep: @Sendable (Duration) async throws -> Void

    /// Sends nothing before it is woken.
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
        // Made while there is room, so that a disk that is full later does not stop sending.
        _ = try? FileClaim(claimPath)
    }

    deinit { state.withLock { $0.alarm }?.cancel() }

    /// Who holds this file sends.
    var claimPath: String { "\(store.directory)/send.lock" }

    /// There may be something to send; it is sent as soon as pauses and delays allow.
    func wake() {
        // Before the worker sets another one.
        state.withLock { $0.takeAlarm() }?.cancel()
        let alarm = state.withLock { state in
            state.machine.wake() ? begin(&state) : nil
        }
        alarm?.cancel()
    }

    /// Sends what is there without waiting for the end of a delay after failures; a pause that the
    /// server asked for is kept.
    func sendNow() {
        store.update { $0.retryNow() }
        wake()
    }

    /// Stores what the user allows; holds at once, also for what is being sent.
    func setConsent(_ consent: ReportConsent) {
        guard consent != .given else {
            store.setConsent(.given)
            return wake()
        }
        hold()
        defer { release() }
        store.setConsent(consent)
    }

    /// Deletes everything recorded before the call; what of it is being sent is called off.
    func deleteUnsent() async throws(DiagnosticsError) {
        hold()
        defer { release() }
        store.update { $0.forgetUntold() }
        try await spool.deleteAll()
    }

    /// Deletes one report; if it is being sent, or about to be, that is called off.
    ///
    /// - Returns: Whether it was there.
    func deleteUnsent(_ id: Report.ID) async throws(DiagnosticsError) -> Bool {
        hold()
        defer { release() }
        return try await spool.remove(id)
    }

    /// Ends sending at once; nothing begins to be sent after this, and what is being sent is told
    /// to end.
    func stop() {
        let (sending, alarm, continuations) = state.withLock { state in
            state.machine.close()
            return (state.sending, state.alarm, state.takeWaits(false))
        }
        sending?.cancel()
        alarm?.cancel()
        for continuation in continuations { continuation.resume(returning: false) }
    }

    /// Ends sending and returns when the sink has returned.
    func close() async {
        stop()
        await state.withLock { $0.worker }?.value
    }

    /// Calls off what is being sent; nothing begins to be sent until it is released.
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

    /// Begins to work and returns the alarm that is not needed any more.
    func begin(_ state: inout State) -> Task<Void, Never>? {
        state.worker = Task.detached(priority: .utility) { [self] in await work() }
        return state.takeAlarm()
    }
}

extension Courier.State {
    fileprivate mutating func takeAlarm() -> Task<Void, Never>? {
        defer { alarm = nil }
        return alarm
    }
}
