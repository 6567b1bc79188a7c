// SPDX-License-Identifier: Apache-2.0
package import Tidings

/// Posted when the catalog was loaded.
package struct CatalogLoaded: Message, Hashable {
    /// The number of lessons in all groups.
    package let lessonCount: Int
}

/// Posted when the catalog could not be loaded.
///
/// The stored copy remains available.
package struct CatalogFailed: Message, Hashable {
    /// The code of the error.
    package let code: String
    /// The fault and the remedy, as text for the user.
    package let message: String
}

/// Posted when the stored copy of the catalog could not be read or written.
package struct CatalogStoreFailed: Message {
    /// The error of the store.
    package let error: any Error
}

// Breadcrumbs show only numbers and codes, because error messages may contain addresses and lesson
// titles.

extension CatalogLoaded: CustomStringConvertible {
    /// Breadcrumbs show the description.
    package static var tracing: MessageTracing { .described }
    /// The number of lessons, without the titles.
    package var description: String { "\(lessonCount) lessons" }
}

extension CatalogFailed: CustomStringConvertible {
    /// Breadcrumbs show the description.
    package static var tracing: MessageTracing { .described }
    /// The code of the error, without the message.
    package var description: String { code }
}

extension CatalogStoreFailed {
    /// Breadcrumbs omit the message, whose error may contain a path.
    package static var tracing: MessageTracing { .hidden }
}
