// SPDX-License-Identifier: Apache-2.0
/// A section of a street between two places, in one direction.
struct Road: Equatable, Sendable {
    let street: String
    let start: Place
    let end: Place
    /// The length in meters, including bends.
    let length: Int

    init(_ street: String, _ start: Place, _ end: Place, _ length: Int) {
        self.street = street
        self.start = start
        self.end = end
        self.length = length
    }

    var reversed: Road { Road(street, end, start, length) }
}

/// Roads by start, where every road can be used in both directions.
struct RoadGraph: Sendable {
    private let departures: [Place: [Road]]

    init(_ roads: [Road]) {
        departures = Dictionary(grouping: roads + roads.map(\.reversed), by: \.start)
    }

    func roads(from place: Place) -> [Road] {
        departures[place, default: []]
    }
}
