// SPDX-License-Identifier: Apache-2.0

/// Which blocks of a log its events take, as a value.
///
/// Places are given away in a circle, so that the oldest events lie side by side and one that has
/// to go makes room together with its neighbour.
struct EventPlaces {
    struct Place: Equatable {
        let block: Int
        let count: Int
        let sequence: UInt64
        /// Whether it goes only for one of its kind.
        let isFatal: Bool

        fileprivate var end: Int { block + count }
    }

    private let blocks: Int
    private var free: Int
    private var fatalCount = 0
    /// In the order of their blocks.
    private(set) var places: [Place] = []
    /// Where the search begins.
    private var next = 0

    init(blocks: Int) {
        self.blocks = blocks
        free = blocks
    }

    /// Finds a place for an event, and those events that must go for it.
    ///
    /// - Returns: nil when there is no place even then; nothing has gone.
    mutating func add(
        _ sequence: UInt64,
        count: Int,
        isFatal: Bool
    ) -> (place: Place, dropped: [Place])? {
        var dropped: [Place] = []
        var start = free < count ? nil : gap(of: count, in: places)
        if start == nil {
            let lasting = isFatal || fatalCount == 0 ? [] : places.filter(\.isFatal)
            guard gap(of: count, in: lasting) != nil else { return nil }
        }
        while start == nil, let oldest = places.indices.min(by: { places[$0] < places[$1] }) {
            dropped.append(remove(at: oldest))
            start = gap(of: count, in: places)
        }
        guard let start else { return nil }
        let place = Place(block: start, count: count, sequence: sequence, isFatal: isFatal)
        places.insert(place, at: places.firstIndex { $0.block > start } ?? places.count)
        free -= count
        fatalCount += isFatal ? 1 : 0
        next = place.end
        return (place, dropped)
    }

    /// Gives back the place of an event; nil when it has none any more.
    mutating func remove(_ sequence: UInt64) -> Place? {
        places.firstIndex { $0.sequence == sequence }.map { remove(at: $0) }
    }

    /// The oldest event that came after another one.
    func first(after sequence: UInt64) -> Place? {
        places.lazy.filter { $0.sequence > sequence }.min { $0.sequence < $1.sequence }
    }

    private mutating func remove(at index: Int) -> Place {
        let place = places.remove(at: index)
        free += place.count
        fatalCount -= place.isFatal ? 1 : 0
        return place
    }

    /// Where so many blocks are free, at the end of the newest event if they are free there.
    private func gap(of count: Int, in places: [Place]) -> Int? {
        var lower: Int?
        var start = 0
        for index in 0...places.count {
            let end = index < places.count ? places[index].block : blocks
            let behind = max(start, next)
            if end - behind >= count { return behind }
            if lower == nil, end - start >= count { lower = start }
            if index < places.count { start = places[index].end }
        }
        return lower
    }
}

extension EventPlaces.Place {
    /// Whether it goes before the other one.
    fileprivate static func < (left: Self, right: Self) -> Bool {
        (left.isFatal ? 1 : 0, left.sequence) < (right.isFatal ? 1 : 0, right.sequence)
    }
}
