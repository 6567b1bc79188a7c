// SPDX-License-Identifier: Apache-2.0
package import Tidings

// What breadcrumbs may show of the library's messages: numbers and states, never a title or an
// address.

extension DownloadQueued: CustomStringConvertible {
    package static var tracing: MessageTracing { .described }
    package var description: String { "item \(item.id)" }
}

extension DownloadStarted: CustomStringConvertible {
    package static var tracing: MessageTracing { .described }
    package var description: String { "item \(item.id)" }
}

extension ItemChanged: CustomStringConvertible {
    package static var tracing: MessageTracing { .described }
    package var description: String { "item \(item.id) \(item.state.rawValue)" }
}

extension DownloadProgressed {
    /// Four a second would leave no room for anything else.
    package static var tracing: MessageTracing { .hidden }
}

extension DownloadCompleted: CustomStringConvertible {
    package static var tracing: MessageTracing { .described }
    package var description: String { "item \(item.id)" }
}

extension DownloadFailed: CustomStringConvertible {
    package static var tracing: MessageTracing { .described }
    package var description: String { "item \(item.id) \(error.code)" }
}

extension ItemRemoved: CustomStringConvertible {
    package static var tracing: MessageTracing { .described }
    package var description: String { "item \(id)" }
}
