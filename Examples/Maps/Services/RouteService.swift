// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Calculates the routes for trips.
final class RouteService: Sendable {
    private let center: MessageCenter
    private let roads: RoadGraph

    init(center: MessageCenter, roads: RoadGraph) {
        self.center = center
        self.roads = roads
        center.messages(.routeRequested).observe(owner: self) { service, request in
            service.calculate(request.trip)
        }
    }

    private func calculate(_ trip: Trip) {
        let path = roads.shortestPath(from: trip.start, to: trip.destination)
        center.postRouteCalculated(trip, route: path.map { Route(trip, along: $0) })
    }
}
