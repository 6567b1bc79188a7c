// SPDX-License-Identifier: Apache-2.0
import Tidings

extension MessageCenter {
    /// Observes the routes for trips, with nil for a route that was not found.
    func observeRoute<Owner: AnyObject & Sendable>(
        owner: Owner,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        calculated handle: @escaping @MainActor @Sendable (Owner, Trip, Route?) -> Void
    ) {
        messages(.routeCalculated).observe(owner: owner, on: .main, fileID: fileID, line: line) {
            handle($0, $1.trip, $1.route)
        }
    }

    func postRouteCalculated(
        _ trip: Trip,
        route: Route?,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        post(RouteCalculated(trip: trip, route: route), fileID: fileID, line: line)
    }
}
