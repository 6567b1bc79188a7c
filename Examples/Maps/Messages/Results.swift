// SPDX-License-Identifier: Apache-2.0
import Tidings

// The results of services. The optional types include a missing result, which observers have to
// handle.

struct SuggestionsAvailable: Message {
    let places: [Place]
}

extension MessageType<SuggestionsAvailable> {
    static var suggestionsAvailable: MessageType { MessageType() }
}

struct SearchCompleted: Message {
    let name: String
    let place: Place?
}

extension MessageType<SearchCompleted> {
    static var searchCompleted: MessageType { MessageType() }
}

struct GeocodeCompleted: Message {
    let position: Position
    let place: Place?
}

extension MessageType<GeocodeCompleted> {
    static var geocodeCompleted: MessageType { MessageType() }
}

struct RouteCalculated: Message {
    let trip: Trip
    let route: Route?
}

extension MessageType<RouteCalculated> {
    static var routeCalculated: MessageType { MessageType() }
}
