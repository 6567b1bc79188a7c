// SPDX-License-Identifier: Apache-2.0
import Tidings

/// What the map is about now.
enum MapMode: Equatable, Sendable {
    case closed
    case browsing
    case place(Place)
    case route(Route)
    case nothingFound(Sought)
}

/// What was looked for in vain.
enum Sought: Equatable, Sendable {
    case name(String)
    case position(Position)
    case road(Trip)
}

struct MapModeChanged: Message, CustomStringConvertible {
    /// Traces and breadcrumbs may show it, for nothing in it is private.
    ///
    /// A message whose type does not say so shows its name only, as `LoggedIn` does.
    static var tracing: MessageTracing { .described }

    let old: MapMode
    let new: MapMode

    var description: String { "\(old.name) → \(new.name)" }
}

extension MessageType<MapModeChanged> {
    static var mapModeChanged: MessageType { MessageType() }
}

extension MapMode {
    fileprivate var name: String {
        switch self {
        case .closed: "closed"
        case .browsing: "browsing"
        case .place: "place"
        case .route: "route"
        case .nothingFound: "nothing found"
        }
    }
}
