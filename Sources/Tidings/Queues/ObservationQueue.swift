// SPDX-License-Identifier: Apache-2.0

/// The pending messages of one observation, without their type.
protocol ObservationQueue: AnyObject, Sendable {
    /// The number of pending messages.
    var pending: Int { get }
    /// The queue's number, if it is a mailbox.
    var mailboxNumber: UInt64? { get }

    /// Calls `body` with the buffer state, under the queue's lock; `body` must not call foreign
    /// code.
    func withBufferState<Result: Sendable>(_ body: (inout BufferState) -> Result) -> Result
}

extension ObservationQueue {
    var pending: Int { withBufferState { $0.count } }

    /// The number of messages lost because there was no room.
    var dropped: Int { withBufferState { $0.dropped } }

    /// Whether the queue can be full.
    var isBounded: Bool { withBufferState { $0.isBounded } }

    /// Promises a place, at once or, to a poster that waits, later.
    func promise(to poster: WaitingPoster?) -> BufferState.Promise {
        withBufferState { $0.promise(to: poster) }
    }

    /// Takes back an unneeded promise.
    func giveBack() {
        withBufferState { $0.giveBack() }?.proceed(.place)
    }

    /// Lets a waiting poster continue without a place, unless it already got its reply.
    func giveUp(_ poster: UInt64) {
        withBufferState { $0.forget(poster) }?.proceed(nil)
    }

    var mailboxNumber: UInt64? { nil }
}
