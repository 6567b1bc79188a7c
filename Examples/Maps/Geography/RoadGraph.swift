// SPDX-License-Identifier: Apache-2.0
/// A piece of street between two places, in one direction.
struct Road: Equatable, Sendable {
    let street: String
    let start: Place
    let end: Place
    /// In metres, with its bends.
    let length: Int

    init(_ street: String, _ start: Place, _ end: Place, _ length: Int) {
        self.street = street
        self.start = start
        self.end = end
        self.length = length
    }

    var reversed: Road { Road(street, end, start, length) }
}

/// Roads by the place at which they begin; every road can be taken both ways.
struct RoadGraph: Sendable {
    private let departures: [Place: [Road]]

    init(_ roads: [Road]) {
        departures = Dictionary(grouping: roads + roads.map(\.reversed), by: \.start)
    }

    func roads(from place: Place) -> [Road] {
        departures[place, default: []]
    }
}
