// SPDX-License-Identifier: Apache-2.0

extension ObservationToken {
    /// How many messages wait for the handler; 0 for an observation without a queue.
    ///
    /// ```swift
    /// if token.pending > 100 { print("the uploader is behind") }
    /// ```
    public var pending: Int { queues.reduce(0) { $0 + $1.pending } }

    /// How many messages were lost because the queue was full; 0 for an observation without one.
    ///
    /// What ended with the observation is not counted: that is no loss.
    public var dropped: Int { queues.reduce(0) { $0 + $1.dropped } }

    private var queues: [any ObservationQueue] { registration.parts.compactMap(\.queue) }

    /// Ends the observation and waits until its calls in progress have returned.
    ///
    /// Once this has returned, nothing of the handler runs any more: not on another thread, not on
    /// the main actor and not in a task. Calls that run are told by the cancellation of their
    /// tasks. Called inside the asynchronous handler of this observation, it does not wait for
    /// that call, nor for a call that waits for it in turn; a task that was started inside a call
    /// belongs to it until it has returned.
    ///
    /// Cancelling the waiting task changes nothing: whoever frees what the handler uses must not
    /// do it early. There is no form of this that blocks a thread.
    ///
    /// ```swift
    /// await token.cancelAndWait()
    /// connection.close()
    /// ```
    public func cancelAndWait() async {
        registration.cancel()
        let caller = MailboxCall.running
        let parts = registration.parts
        let calls = parts.flatMap(\.runningCalls).filter {
            WaitGraph.begin(caller, waitsFor: .call($0.id))
        }
        await withCheckedContinuation { continuation in
            let ticket = ReaderTicket { continuation.resume() }
            for call in calls {
                let share = ticket.holding()
                call.whenEnded { share.arrive() }
            }
            for home in parts.compactMap(\.currentHome) {
                let share = ticket.holding()
                Readers.afterLeaving(home.address) { share.arrive() }
            }
            ticket.arrive()
        }
        for call in calls { WaitGraph.end(caller, waitsFor: .call(call.id)) }
    }
}
