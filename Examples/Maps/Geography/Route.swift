// SPDX-License-Identifier: Apache-2.0
/// From where to where somebody wants to go.
struct Trip: Equatable, Sendable {
    let start: Place
    let destination: Place
}

/// A way along streets.
struct Route: Equatable, Sendable {
    struct Step: Equatable, Sendable {
        /// How one turns into the street; nil where the way begins.
        let turn: Turn?
        let street: String
        fileprivate(set) var length: Int
    }

    let trip: Trip
    private(set) var steps: [Step] = []

    var length: Int { steps.reduce(0) { $0 + $1.length } }

    /// - Parameters:
    ///   - trip: From where to where.
    ///   - roads: The roads of the way, each beginning where the one before it ends.
    init(_ trip: Trip, along roads: [Road]) {
        self.trip = trip
        var previous: Road?
        for road in roads {
            append(road, after: previous)
            previous = road
        }
    }

    /// A street that goes on is not a step of its own.
    private mutating func append(_ road: Road, after previous: Road?) {
        if road.street == previous?.street {
            steps[steps.endIndex - 1].length += road.length
        } else {
            let turn = previous.map { Turn(from: $0, into: road) }
            steps.append(Step(turn: turn, street: road.street, length: road.length))
        }
    }
}
