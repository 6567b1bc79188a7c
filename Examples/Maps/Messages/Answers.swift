// SPDX-License-Identifier: Apache-2.0
import Tidings

// What services have found. That there is none is an answer too, and the type says so: whoever
// observes it has to decide what to show.

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
