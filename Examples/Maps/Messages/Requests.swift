// SPDX-License-Identifier: Apache-2.0
import Tidings

// The requests of a user. The sender does not know which service handles a request, if any.

struct TextTyped: Message {
    let text: String
}

extension MessageType<TextTyped> {
    static var textTyped: MessageType { MessageType() }
}

struct SearchRequested: Message {
    let name: String
}

extension MessageType<SearchRequested> {
    static var searchRequested: MessageType { MessageType() }
}

struct PositionTapped: Message {
    let position: Position
}

extension MessageType<PositionTapped> {
    static var positionTapped: MessageType { MessageType() }
}

struct RouteRequested: Message {
    let trip: Trip
}

extension MessageType<RouteRequested> {
    static var routeRequested: MessageType { MessageType() }
}
