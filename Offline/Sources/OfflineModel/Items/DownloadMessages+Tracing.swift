// SPDX-License-Identifier: Apache-2.0
package import Tidings

// The descriptions appear in breadcrumbs, so a description contains numbers and states, but never a
// title or an address.

extension DownloadQueued: CustomStringConvertible {
    /// Breadcrumbs contain the description.
    package static var tracing: MessageTracing { .described }
    /// The identifier of the item.
    package var description: String { "item \(item.id)" }
}

extension DownloadStarted: CustomStringConvertible {
    /// Breadcrumbs contain the description.
    package static var tracing: MessageTracing { .described }
    /// The identifier of the item.
    package var description: String { "item \(item.id)" }
}

extension ItemChanged: CustomStringConvertible {
    /// Breadcrumbs contain the description.
    package static var tracing: MessageTracing { .described }
    /// The identifier and the state of the item.
    package var description: String { "item \(item.id) \(item.state.rawValue)" }
}

extension DownloadProgressed {
    /// Breadcrumbs omit the message, because four breadcrumbs per second would displace all others.
    package static var tracing: MessageTracing { .hidden }
}

extension DownloadCompleted: CustomStringConvertible {
    /// Breadcrumbs contain the description.
    package static var tracing: MessageTracing { .described }
    /// The identifier of the item.
    package var description: String { "item \(item.id)" }
}

extension DownloadFailed: CustomStringConvertible {
    /// Breadcrumbs contain the description.
    package static var tracing: MessageTracing { .described }
    /// The identifier of the item and the code of the error.
    package var description: String { "item \(item.id) \(error.code)" }
}

extension DownloadPaused: CustomStringConvertible {
    /// Breadcrumbs contain the description.
    package static var tracing: MessageTracing { .described }
    /// The identifier of the item and the code of the error.
    package var description: String { "item \(item.id) \(error.code)" }
}

extension ItemRemoved: CustomStringConvertible {
    /// Breadcrumbs contain the description.
    package static var tracing: MessageTracing { .described }
    /// The identifier of the item.
    package var description: String { "item \(id)" }
}
