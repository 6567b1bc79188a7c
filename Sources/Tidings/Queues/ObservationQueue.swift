// SPDX-License-Identifier: Apache-2.0

/// Messages that wait for one observation, without their type.
protocol ObservationQueue: AnyObject, Sendable {
    /// How many wait.
    var pending: Int { get }
    /// Its number, if it is a mailbox.
    var mailboxNumber: UInt64? { get }

    /// Calls `body` with what the queue counts, under its lock: nothing foreign.
    func withBufferState<Result: Sendable>(_ body: (inout BufferState) -> Result) -> Result
}

extension ObservationQueue {
    var pending: Int { withBufferState { $0.count } }

    /// How many were lost because there was no room.
    var dropped: Int { withBufferState { $0.dropped } }

    /// Whether it can be full.
    var isBounded: Bool { withBufferState { $0.isBounded } }

    /// Promises a place, now or, to a poster that waits, later.
    func promise(to poster: WaitingPoster?) -> BufferState.Promise {
        withBufferState { $0.promise(to: poster) }
    }

    /// Takes back a promise that is not needed.
    func giveBack() {
        withBufferState { $0.giveBack() }?.proceed(.place)
    }

    /// Lets a poster that waits for a place go without one, if it was not told yet.
    func giveUp(_ poster: UInt64) {
        withBufferState { $0.forget(poster) }?.proceed(nil)
    }

    var mailboxNumber: UInt64? { nil }
}
