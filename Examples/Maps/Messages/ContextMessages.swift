// SPDX-License-Identifier: Apache-2.0
import Tidings

struct User: Equatable, Sendable {
    let name: String
}

enum Basemap: String, Sendable {
    case streets
    case topographic
}

struct WebMap: Equatable, Sendable {
    let title: String
}

// The extension after each message makes the message available to code completion:
// `observe(.loggedIn` is the same as `observe(LoggedIn.self`.

struct LoggedIn: Message {
    let user: User
}

extension MessageType<LoggedIn> {
    static var loggedIn: MessageType { MessageType() }
}

struct LoggedOut: Message {
    let user: User
}

extension MessageType<LoggedOut> {
    static var loggedOut: MessageType { MessageType() }
}

struct NewBasemap: Message {
    let basemap: Basemap
}

extension MessageType<NewBasemap> {
    static var newBasemap: MessageType { MessageType() }
}

struct NewWebMap: Message {
    let webMap: WebMap
}

extension MessageType<NewWebMap> {
    static var newWebMap: MessageType { MessageType() }
}
