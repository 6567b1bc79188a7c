// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TidingsLock

/// Messages on their way to a handler that runs in tasks of its own, first in, first out.
final class Mailbox<Input: Sendable>: ObservationQueue {
    /// A message that waits, and what must be told of what becomes of it.
    struct Entry: Sendable {
        let input: Input
        let registration: Registration
        /// Who waits until it was handled.
        var group: DeliveryGroup?
        /// Learns whether the handler was called, if the message waits until one was.
        var acknowledgment: Acknowledgment?
        /// Whether the center's error hooks may be told of it.
        var reportsErrors = true

        /// Says that the handler will not be called with it.
        func drop() {
            acknowledgment?.note(called: false)
            group?.leave()
        }
    }

    /// Handles one message of a mailbox, where the observation wants it.
    typealias Step = @concurrent @Sendable (Mailbox<Input>, MailboxCall) async -> CallOutcome

    /// Unique in the process, never used again.
    let number: UInt64
    private weak let center: MessageCenter?
    private let state: Lock<State>

    /// - Parameters:
    ///   - center: Told of errors; nil for nobody.
    ///   - buffering: What is kept while the handler is busy.
    ///   - concurrency: How many calls run at a time, at least 1.
    ///   - step: Calls ``handle(_:_:)`` where the handler belongs, or says that its owner died.
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

    /// Calls `action` once nothing can come, waits or runs.
    func whenDrained(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.drained.append(action) }
        callIfDrained()
    }

    private func callIfDrained() {
        for action in state.withLock({ $0.drained.take(if: $0.isDrained) }) { action() }
    }

    /// Drops what waits and cancels what runs.
    func discard() {
        var action = state.withLock { $0.discard() }
        for cancel in action.cancels { cancel() }
        for poster in action.posters { poster.proceed(.needless) }
        while let entry = action.entries.popFirst() { entry.drop() }
        callIfDrained()
    }

    var mailboxNumber: UInt64? { number }

    /// The calls that run now.
    var calls: [MailboxCall] { state.withLock { $0.calls } }

    /// Whether what is posted on this thread now may be told of to the center's error hooks.
    var reportsErrors: Bool {
        let thread = DeliveryThread.current
        guard thread.isInsideHook, let center else { return true }
        return !thread.isInside(.error, of: center)
    }

    // MARK: Workers

    private func start(_ worker: Int) {
        // Detached: it serves all posters, so it inherits neither actor nor task-local values.
        let task = Task.detached { [self] in await work(worker) }
        if !state.withLock({ $0.adopt(worker) { task.cancel() } }) { task.cancel() }
    }

    private func work(_ worker: Int) async {
        while let step = state.withLock({ $0.continues(worker) }).step {
            let call = MailboxCall(mailbox: number, worker: worker)
            if case .expired = await step(self, call) {
                // This discards everything here, so the loop ends.
                state.withLock { $0.first }?.registration.cancel()
            }
            // The last worker releases the handler before anybody learns of the end of its call.
            withExtendedLifetime(state.withLock { $0.end(worker) }) {}
            call.end()
            callIfDrained()
        }
        callIfDrained()
    }

    /// Takes the next message, if there still is one, and calls `handler` with it, on the caller's
    /// actor.
    ///
    /// Between the last look at the mailbox and the call nothing else runs on that actor.
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

    /// Hands an error to whoever is to learn of it: once, and nobody of a cancelled call's end.
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
