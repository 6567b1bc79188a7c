// SPDX-License-Identifier: Apache-2.0

/// The pending messages of one observation, without their type.
protocol ObservationQueue: AnyObject, Sendable {
    /// The number of pending messages.
    var pending: Int { get }
    /// The queue's number, if the queue is a mailbox.
    var mailboxNumber: UInt64? { get }

    /// Calls `body` with the buffer state, under the queue's lock.
    ///
    /// `body` must not call foreign code.
    func withBufferState<Result: Sendable>(_ body: (inout BufferState) -> Result) -> Result
}

extension ObservationQueue {
    var pending: Int { withBufferState { $0.count } }

    /// The number of messages lost because there was no room.
    var dropped: Int { withBufferState { $0.dropped } }

    /// Whether the queue can be full.
    var isBounded: Bool { withBufferState { $0.isBounded } }

    /// Promises a place, immediately or, to a poster that waits, later.
    func promise(to poster: WaitingPoster?) -> BufferState.Promise {
        withBufferState { $0.promise(to: poster) }
    }

    /// Takes back an unneeded promise.
    func giveBack() {
        withBufferState { $0.giveBack() }?.proceed(.place)
    }

    /// Lets a waiting poster continue without a place, unless the poster already got a reply.
    func giveUp(_ poster: UInt64) {
        withBufferState { $0.forget(poster) }?.proceed(nil)
    }

    var mailboxNumber: UInt64? { nil }
}

extension ObservationToken {
    /// The number of messages pending for the handler, or 0 for an observation without a queue.
    ///
    /// ```swift
    /// if token.pending > 100 { print("the uploader is behind") }
    /// ```
    public var pending: Int { queues.reduce(0) { $0 + $1.pending } }

    /// The number of messages lost because the queue was full, or 0 for an observation without a
    /// queue.
    ///
    /// Messages that end with the observation are not lost, so they do not count.
    public var dropped: Int { queues.reduce(0) { $0 + $1.dropped } }

    private var queues: [any ObservationQueue] { registration.parts.compactMap(\.queue) }

    /// Ends the observation and waits until all calls in progress have returned.
    ///
    /// Once this call has returned, none of the handler's code runs any more: not on another
    /// thread, not on the main actor and not in a task. The tasks of running calls are cancelled.
    /// Inside the asynchronous handler of this observation, `cancelAndWait` waits neither for the
    /// handler's own call nor for a call that waits for the handler in turn. A task that was
    /// started inside a call belongs to the call until the call has returned.
    ///
    /// Cancelling the waiting task changes nothing, because the caller must not free the handler's
    /// resources early. No variant of this method blocks a thread.
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
