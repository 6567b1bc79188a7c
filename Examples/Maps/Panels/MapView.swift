// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Shows the map and controls the mode, which follows the results of the services.
@MainActor
final class MapView {
    private let center: MessageCenter
    private let pane = Pane("map")
    private var basemap = Basemap.streets
    private var mode = MapMode.closed

    init(center: MessageCenter) {
        self.center = center
        center.observeContext(
            owner: self,
            logout: { map, _ in map.enter(.closed) },
            newBasemap: { map, basemap in map.draw(on: basemap) },
            newWebMap: { map, _ in map.enter(.browsing) }
        )
        center.observeSearch(
            owner: self,
            result: { map, name, place in
                map.enter(place.map(MapMode.place) ?? .nothingFound(.name(name)))
            }
        )
        center.observeGeocode(owner: self) { map, position, place in
            map.enter(place.map(MapMode.place) ?? .nothingFound(.position(position)))
        }
        center.observeRoute(owner: self) { map, trip, route in
            map.enter(route.map(MapMode.route) ?? .nothingFound(.road(trip)))
        }
        draw(on: basemap)
    }

    func tap(_ position: Position) {
        center.post(PositionTapped(position: position))
    }

    private func enter(_ new: MapMode) {
        let old = mode
        guard new != old else { return }
        mode = new
        draw(on: basemap)
        center.postMapModeChanged(from: old, to: new)
    }

    private func draw(on basemap: Basemap) {
        self.basemap = basemap
        pane.show("\(basemap.rawValue), \(picture)")
    }

    private var picture: String {
        switch mode {
        case .closed: "closed"
        case .browsing, .nothingFound: "the whole island"
        case .place(let place): "a pin at \(place.position)"
        case .route(let route): "a line of \(route.steps.count) streets"
        }
    }
}
