// SPDX-License-Identifier: Apache-2.0
/// The turn from one road into the next.
enum Turn: Sendable {
    case straightOn
    case left
    case right

    init(from road: Road, into next: Road) {
        let (before, after) = (road.direction, next.direction)
        let cross = before.east * after.north - before.north * after.east
        let dot = before.east * after.east + before.north * after.north
        // A change of direction below a slope of one in two, about 27 degrees, is not a turn.
        if abs(cross) * 2 < dot {
            self = .straightOn
        } else {
            self = cross > 0 ? .left : .right
        }
    }
}

extension Road {
    fileprivate var direction: (east: Int, north: Int) {
        (end.position.east - start.position.east, end.position.north - start.position.north)
    }
}
