// SPDX-License-Identifier: Apache-2.0
/// A named place on the map.
struct Place: Hashable, Sendable {
    let name: String
    let position: Position

    init(_ name: String, east: Int, north: Int) {
        self.name = name
        position = Position(east: east, north: north)
    }
}
