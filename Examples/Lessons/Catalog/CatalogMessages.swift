// SPDX-License-Identifier: Apache-2.0
import Tidings

// The messages of the catalog. Code completion finds `observe(.catalogLoaded`, which is the same as
// `observe(CatalogLoaded.self`.

struct CatalogLoaded: Message {}

extension MessageType<CatalogLoaded> {
    static var catalogLoaded: MessageType { MessageType() }
}

struct CatalogFailed: Message {
    /// The fault, for users.
    let message: String
}

extension MessageType<CatalogFailed> {
    static var catalogFailed: MessageType { MessageType() }
}
