// SPDX-License-Identifier: Apache-2.0
import Tidings

// What everybody may hear of the catalogue, declared in one place: `observe(.catalogLoaded` is found
// by code completion and is the same as `observe(CatalogLoaded.self`.

struct CatalogLoaded: Message {}

extension MessageType<CatalogLoaded> {
    static var catalogLoaded: MessageType { MessageType() }
}

struct CatalogFailed: Message {
    /// What went wrong, for a person.
    let message: String
}

extension MessageType<CatalogFailed> {
    static var catalogFailed: MessageType { MessageType() }
}
