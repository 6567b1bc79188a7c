// SPDX-License-Identifier: Apache-2.0

/// The counts and decisions of an observation's queue, apart from its contents.
///
/// A place is promised to a poster that waits for room. A promised place counts as taken, so the
/// queue never holds more than its limit and such a poster never causes a drop.
struct BufferState: Sendable {
    private let limit: Buffering.Limit
    /// The number of pending values.
    private(set) var count = 0
    /// The number of values lost because there was no room.
    private(set) var dropped = 0
    /// Whether the queue accepts no more values.
    private(set) var isClosed = false
    private var promised = 0
    private var posters: [WaitingPoster] = []

    init(_ buffering: Buffering) {
        limit = buffering.limit
    }

    /// The number of posters that wait for a place.
    var waitingPosters: Int { posters.count }

    /// Whether the queue can be full.
    var isBounded: Bool { limit != .unbounded }

    // MARK: Values

    /// The decision about an incoming value.
    enum Admission: Equatable {
        case append
        /// The first pending value is dropped to make room.
        case replaceFirst
        /// The incoming value is dropped.
        case refuse
        /// The queue accepts no more values, and nothing is counted.
        case closed
    }

    /// Decides about an incoming value.
    ///
    /// - Parameters:
    ///   - hasPlace: Whether a place was promised for the value.
    ///   - extra: The number of values that the queue may hold above the limit now.
    /// - Returns: The decision.
    mutating func admit(hasPlace: Bool = false, extra: Int = 0) -> Admission {
        if isClosed { return .closed }
        if hasPlace { promised -= 1 }
        if hasPlace || hasRoom(extra: extra) {
            count += 1
            return .append
        }
        dropped += 1
        if case .newest = limit, count > 0 { return .replaceFirst }
        return .refuse
    }

    /// Counts one value as taken and returns the poster that is promised the place.
    mutating func take() -> WaitingPoster? {
        count -= 1
        return promiseNext()
    }

    /// Counts all values as taken.
    ///
    /// No poster may be waiting for a place.
    mutating func takeAll() {
        count = 0
    }

    // MARK: Places

    /// The reply to a poster that asks for a place.
    enum Promise: Equatable {
        /// The poster has a place, and pushes a value with the place or gives it back.
        case place
        /// The poster needs no place.
        case needless
        /// The poster gets a reply later.
        case later
    }

    /// Promises a place, immediately or, to a poster that waits, later.
    mutating func promise(to poster: WaitingPoster?) -> Promise {
        if isClosed || !isBounded { return .needless }
        // No poster is overtaken: while there is room, no poster is waiting.
        if hasRoom(extra: 0) {
            promised += 1
            return .place
        }
        if let poster { posters.append(poster) }
        return .later
    }

    /// Takes back an unneeded promise and returns the poster that has the place now.
    mutating func giveBack() -> WaitingPoster? {
        if isClosed { return nil }
        promised -= 1
        return promiseNext()
    }

    /// Removes a waiting poster, or returns nil if the poster already got a reply.
    mutating func forget(_ id: UInt64) -> WaitingPoster? {
        posters.firstIndex { $0.id == id }.map { posters.remove(at: $0) }
    }

    /// Accepts no more values and returns the posters that no longer need a place.
    mutating func close() -> [WaitingPoster] {
        isClosed = true
        promised = 0
        defer { posters = [] }
        return posters
    }

    private func hasRoom(extra: Int) -> Bool {
        switch limit {
        case .newest(let most), .oldest(let most): count + promised - extra < most
        case .unbounded: true
        }
    }

    private mutating func promiseNext() -> WaitingPoster? {
        guard !posters.isEmpty, hasRoom(extra: 0) else { return nil }
        promised += 1
        return posters.removeFirst()
    }
}

/// A poster that waits for a place in a queue.
struct WaitingPoster: Sendable {
    let id: UInt64
    /// Called once, without a lock, with the result of the wait, or with nil if the poster gave up.
    let proceed: @Sendable (BufferState.Promise?) -> Void
}
