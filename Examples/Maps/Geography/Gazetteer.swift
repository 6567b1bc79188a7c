// SPDX-License-Identifier: Apache-2.0
/// The places of a map, with searches by name and position.
struct Gazetteer: Sendable {
    let places: [Place]

    /// Returns the places whose names start with a string, in alphabetical order.
    func suggestions(for text: String) -> [Place] {
        guard !text.isEmpty else { return [] }
        return
            places
            .filter { $0.name.lowercased().hasPrefix(text.lowercased()) }
            .sorted { $0.name < $1.name }
    }

    func place(named name: String) -> Place? {
        places.first { $0.name.lowercased() == name.lowercased() }
    }

    /// Returns the nearest place within a limit in meters, or nil if no place is near.
    func place(near position: Position, within limit: Double) -> Place? {
        places
            .map { (place: $0, distance: $0.position.distance(to: position)) }
            .filter { $0.distance <= limit }
            .min { $0.distance < $1.distance }?
            .place
    }
}
