// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The current content of the map.
enum MapMode: Equatable, Sendable {
    case closed
    case browsing
    case place(Place)
    case route(Route)
    case nothingFound(SearchTarget)
}

/// The target of an unsuccessful search.
enum SearchTarget: Equatable, Sendable {
    case name(String)
    case position(Position)
    case road(Trip)
}

struct MapModeChanged: Message, CustomStringConvertible {
    /// Allows traces and breadcrumbs to show the content, which contains no private data.
    ///
    /// The default, for example for `LoggedIn`, shows only the name of the type.
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
