// SPDX-License-Identifier: Apache-2.0
/// A point of the island's grid, in meters.
struct Position: Hashable, Sendable, CustomStringConvertible {
    let east: Int
    let north: Int

    var description: String { "\(east) E, \(north) N" }

    func distance(to other: Position) -> Double {
        let (east, north) = (Double(other.east - east), Double(other.north - north))
        return (east * east + north * north).squareRoot()
    }
}
