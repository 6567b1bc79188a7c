// SPDX-License-Identifier: Apache-2.0
package import Tidings

/// The catalogue was loaded.
package struct CatalogLoaded: Message, Hashable {
    package let lessonCount: Int
}

/// The catalogue could not be loaded; a stored copy of it is still shown.
package struct CatalogFailed: Message, Hashable {
    package let code: String
    /// What happened and what to do, for a person.
    package let message: String
}

/// The stored copy of the catalogue could not be read or written.
package struct CatalogueStoreFailed: Message {
    package let error: any Error
}

// Numbers and codes only: a message may hold an address, or a lesson's name.

extension CatalogLoaded: CustomStringConvertible {
    package static var tracing: MessageTracing { .described }
    package var description: String { "\(lessonCount) lessons" }
}

extension CatalogFailed: CustomStringConvertible {
    package static var tracing: MessageTracing { .described }
    package var description: String { code }
}

extension CatalogueStoreFailed {
    package static var tracing: MessageTracing { .hidden }
}
