// SPDX-License-Identifier: Apache-2.0

/// Messages that wait for one observation, without their type.
protocol ObservationQueue: AnyObject, Sendable {
    /// How many wait.
    var pending: Int { get }
    /// How many were lost because there was no room.
    var dropped: Int { get }
    /// Whether it can be full.
    var isBounded: Bool { get }

    /// Promises a place to a poster, at once or, if it may wait, later.
    ///
    /// - Parameter poster: Told of a place that is promised later; nil if it does not wait.
    /// - Returns: What the poster has now.
    func promise(to poster: WaitingPoster?) -> QueueLedger.Promise

    /// Takes back a promise that is not needed.
    func giveBack()

    /// Forgets a poster that waits; false if it was told already.
    func forget(_ poster: UInt64) -> Bool

    /// Takes nothing more; what waits is still worked off.
    func close()

    /// Takes nothing more and drops what waits.
    func discard()
}
