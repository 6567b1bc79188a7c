// SPDX-License-Identifier: Apache-2.0
/// The start and the destination of a route.
struct Trip: Equatable, Sendable {
    let start: Place
    let destination: Place
}

/// A route along streets.
struct Route: Equatable, Sendable {
    struct Step: Equatable, Sendable {
        /// The turn into the street, or nil for the first step.
        let turn: Turn?
        let street: String
        fileprivate(set) var length: Int
    }

    let trip: Trip
    private(set) var steps: [Step] = []

    var length: Int { steps.reduce(0) { $0 + $1.length } }

    /// - Parameters:
    ///   - trip: The start and the destination.
    ///   - roads: The roads in order, each with a start at the end of the previous road.
    init(_ trip: Trip, along roads: [Road]) {
        self.trip = trip
        var previous: Road?
        for road in roads {
            append(road, after: previous)
            previous = road
        }
    }

    /// Appends a road as a new step, or extends the last step if the street stays the same.
    private mutating func append(_ road: Road, after previous: Road?) {
        if road.street == previous?.street {
            steps[steps.endIndex - 1].length += road.length
        } else {
            let turn = previous.map { Turn(from: $0, into: road) }
            steps.append(Step(turn: turn, street: road.street, length: road.length))
        }
    }
}
