// SPDX-License-Identifier: Apache-2.0

/// What a queue of an observation counts and decides, apart from what it holds.
///
/// A place is promised to a poster that waits for room. A promised place counts as taken, so the
/// queue never holds more than its limit and such a poster never causes a drop.
struct BufferState: Sendable {
    private let limit: Buffering.Limit
    /// How many values wait.
    private(set) var count = 0
    /// How many were lost because there was no room.
    private(set) var dropped = 0
    /// Whether nothing is taken any more.
    private(set) var isClosed = false
    private var promised = 0
    private var posters: [WaitingPoster] = []

    init(_ buffering: Buffering) {
        limit = buffering.limit
    }

    /// How many posters wait for a place.
    var waitingPosters: Int { posters.count }

    /// Whether it can be full.
    var isBounded: Bool { limit != .unbounded }

    // MARK: Values

    /// What becomes of a value that comes.
    enum Admission: Equatable {
        case append
        /// The first one is dropped for it.
        case replaceFirst
        /// It is dropped itself.
        case refuse
        /// The queue takes nothing any more; nothing is counted.
        case closed
    }

    /// Decides about a value that comes.
    ///
    /// - Parameters:
    ///   - hasPlace: Whether a place was promised for it.
    ///   - extra: How many more than the limit there may be now.
    /// - Returns: What becomes of it.
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

    /// Counts one value as taken; returns the poster that its place is promised to.
    mutating func take() -> WaitingPoster? {
        count -= 1
        return promiseNext()
    }

    /// Counts all values as taken, where nobody can be waiting for a place.
    mutating func takeAll() {
        count = 0
    }

    // MARK: Places

    /// What a poster is told that asks for a place.
    enum Promise: Equatable {
        /// It has one, and pushes its value with it or gives it back.
        case place
        /// It needs none.
        case needless
        /// It is told later.
        case later
    }

    /// Promises a place, at once or, to a poster that waits, later.
    mutating func promise(to poster: WaitingPoster?) -> Promise {
        if isClosed || !isBounded { return .needless }
        // Nobody is overtaken: where there is room, nobody waits.
        if hasRoom(extra: 0) {
            promised += 1
            return .place
        }
        if let poster { posters.append(poster) }
        return .later
    }

    /// Takes back a promise that is not needed; returns the poster that has the place now.
    mutating func giveBack() -> WaitingPoster? {
        if isClosed { return nil }
        promised -= 1
        return promiseNext()
    }

    /// Forgets a poster that waits; nil if it was told already.
    mutating func forget(_ id: UInt64) -> WaitingPoster? {
        posters.firstIndex { $0.id == id }.map { posters.remove(at: $0) }
    }

    /// Takes nothing any more; returns those who need not wait for a place now.
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
    /// Called once, without a lock, with what it got by waiting; nil if it gave up.
    let proceed: @Sendable (BufferState.Promise?) -> Void
}
