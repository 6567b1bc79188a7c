// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TidingsLock

/// The pending messages of a handler that runs in separate tasks, first in, first out.
final class Mailbox<Input: Sendable>: ObservationQueue {
    /// A pending message, and the objects to notify of the outcome.
    struct Entry: Sendable {
        let input: Input
        let registration: Registration
        /// The deliveries that the poster waits for, if the poster waits.
        var group: DeliveryGroup?
        /// Records whether the handler was called, if the message waits for a handler.
        var acknowledgment: Acknowledgment?
        /// Whether the center may call its error hooks about the message.
        var reportsErrors = true

        /// Records that the handler will not be called with the message.
        func drop() {
            acknowledgment?.note(called: false)
            group?.leave()
        }
    }

    /// Handles one message of a mailbox, where the handler belongs.
    typealias Step = @concurrent @Sendable (Mailbox<Input>, MailboxCall) async -> CallOutcome

    /// The number of this mailbox, unique in the process and never used again.
    let number: UInt64
    private weak let center: MessageCenter?
    private let state: Lock<State>

    /// - Parameters:
    ///   - center: The center that reports errors, or nil to report no errors.
    ///   - buffering: The messages to keep while the handler is busy.
    ///   - concurrency: The maximum number of calls that run at a time, at least 1.
    ///   - step: Calls ``handle(_:_:)`` where the handler belongs, or returns `expired` if the
    ///     owner has expired.
    init(
        of center: MessageCenter?,
        _ buffering: Buffering,
        concurrency: Int,
        step: @escaping Step
    ) {
        require(
            concurrency >= 1,
            "An observation runs at least 1 call at a time: concurrency: \(concurrency) runs none."
        )
        number = MailboxNumber.next()
        self.center = center
        state = Lock(State(buffering, concurrency: concurrency, step: step))
    }

    // MARK: The poster's end

    func push(_ entry: Entry, hasPlace: Bool) {
        let action = state.withLock { $0.push(entry, hasPlace: hasPlace) }
        action.dropped?.drop()
        if let worker = action.worker { start(worker) }
    }

    func close() {
        let action = state.withLock { $0.close() }
        for poster in action.posters { poster.proceed(.needless) }
        callIfDrained()
    }

    /// Calls `action` once the mailbox is closed and nothing is pending or running.
    func whenDrained(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.drained.append(action) }
        callIfDrained()
    }

    private func callIfDrained() {
        for action in state.withLock({ $0.drained.take(if: $0.isDrained) }) { action() }
    }

    /// Drops the pending messages and cancels the running calls.
    func discard() {
        var action = state.withLock { $0.discard() }
        for cancel in action.cancels { cancel() }
        for poster in action.posters { poster.proceed(.needless) }
        while let entry = action.entries.popFirst() { entry.drop() }
        callIfDrained()
    }

    var mailboxNumber: UInt64? { number }

    /// The calls in progress.
    var calls: [MailboxCall] { state.withLock { $0.calls } }

    /// Whether the center may call its error hooks about posts that this thread makes now.
    var reportsErrors: Bool {
        let thread = DeliveryThread.current
        guard thread.isInsideHook, let center else { return true }
        return !thread.isInside(.error, of: center)
    }

    // MARK: Workers

    private func start(_ worker: Int) {
        // The task is detached, because a worker serves all posters and must inherit neither actor
        // nor task-local values.
        let task = Task.detached { [self] in await work(worker) }
        if !state.withLock({ $0.adopt(worker) { task.cancel() } }) { task.cancel() }
    }

    private func work(_ worker: Int) async {
        while let step = state.withLock({ $0.continues(worker) }).step {
            let call = MailboxCall(mailbox: number, worker: worker)
            if case .expired = await step(self, call) {
                // This discards everything in the mailbox, so the loop ends.
                state.withLock { $0.first }?.registration.cancel()
            }
            // The last worker releases the handler before any code is notified that the call has
            // ended.
            withExtendedLifetime(state.withLock { $0.end(worker) }) {}
            call.end()
            callIfDrained()
        }
        callIfDrained()
    }

    /// Takes the next message, if there is one, and calls `handler` on the caller's actor.
    ///
    /// Between the last check of the mailbox and the call, nothing else runs on the actor.
    func handle(_ call: MailboxCall, _ handler: (Input) async throws -> Void) async -> CallOutcome {
        guard let (entry, poster) = state.withLock({ $0.begin(call) }) else { return .ended }
        poster?.proceed(.place)
        guard !entry.registration.isBlocked, !entry.registration.hasExpiredSubject else {
            entry.drop()
            return .skipped
        }
        entry.acknowledgment?.note(called: true)
        do {
            try await MailboxCall.$current.withValue(call) { try await handler(entry.input) }
            entry.group?.leave()
        } catch {
            settle(entry, error)
        }
        return .called
    }

    /// Passes an error, once, to the waiting poster or to the error hooks.
    ///
    /// The `CancellationError` of a discarded call is dropped.
    private func settle(_ entry: Entry, _ error: any Error) {
        if error is CancellationError, state.withLock({ $0.isDiscarded }) {
            entry.group?.leave()
            return
        }
        if let group = entry.group, group.leave(entry.registration, error) { return }
        if entry.reportsErrors { center?.report(error, of: entry.registration) }
    }

    func withBufferState<Result: Sendable>(_ body: (inout BufferState) -> Result) -> Result {
        state.withLock { body(&$0.bufferState) }
    }
}

/// Numbers of mailboxes of every type.
private enum MailboxNumber {
    private static let last = Atomic<UInt64>(0)

    static func next() -> UInt64 {
        last.wrappingAdd(1, ordering: .relaxed).newValue
    }
}
