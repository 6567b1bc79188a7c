// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Requests directions to the place on the map and lists the steps.
@MainActor
final class DirectionsPanel {
    private let center: MessageCenter
    private let pane = Pane("directions")
    private let start: Place
    private var destination: Place?

    init(center: MessageCenter, start: Place) {
        self.center = center
        self.start = start
        center.observeMapMode(owner: self) { panel, old, new in panel.follow(from: old, to: new) }
        center.observeRoute(owner: self) { panel, _, route in
            if let route { panel.list(route) }
        }
        pane.show("none")
    }

    func requestDirections() {
        guard let destination else { return pane.show("Choose a place first.") }
        center.post(RouteRequested(trip: Trip(start: start, destination: destination)))
    }

    private func follow(from old: MapMode, to new: MapMode) {
        if case .route = old { pane.show("none") }
        switch new {
        case .place(let place): destination = place
        case .route(let route): destination = route.trip.destination
        case .closed, .browsing, .nothingFound: destination = nil
        }
    }

    private func list(_ route: Route) {
        let steps = route.steps.map { "\(text(for: $0.turn)) \($0.street), \($0.length) m" }
        let lines = steps + ["Arrive at \(route.trip.destination.name)"]
        pane.show(zip(1..., lines).map { number, line in "\(number). \(line)" })
    }

    private func text(for turn: Turn?) -> String {
        switch turn {
        case nil: "Start on"
        case .straightOn: "Continue onto"
        case .left: "Turn left into"
        case .right: "Turn right into"
        }
    }
}
