// SPDX-License-Identifier: Apache-2.0
extension RoadGraph {
    /// Returns the roads of the shortest path in order, or nil without a path.
    ///
    /// The function uses Dijkstra's algorithm with a linear search for the nearest place, which is
    /// fast enough for an island. A larger graph would need a heap.
    func shortestPath(from start: Place, to destination: Place) -> [Road]? {
        var reached = [start: 0]
        var arrivals: [Place: Road] = [:]
        var settled: Set<Place> = []
        while let (place, distance) = nearest(in: reached) {
            if place == destination { return path(to: destination, by: arrivals) }
            reached[place] = nil
            settled.insert(place)
            for road in roads(from: place) where !settled.contains(road.end) {
                let total = distance + road.length
                guard total < reached[road.end, default: .max] else { continue }
                reached[road.end] = total
                arrivals[road.end] = road
            }
        }
        return nil
    }

    /// Returns the nearest place.
    ///
    /// Of two equally near places, the function returns the first by name, so that the path is
    /// always the same.
    private func nearest(in reached: [Place: Int]) -> (place: Place, distance: Int)? {
        reached
            .min { ($0.value, $0.key.name) < ($1.value, $1.key.name) }
            .map { (place: $0.key, distance: $0.value) }
    }

    private func path(to destination: Place, by arrivals: [Place: Road]) -> [Road] {
        var path: [Road] = []
        while let road = arrivals[path.last?.start ?? destination] { path.append(road) }
        return path.reversed()
    }
}
