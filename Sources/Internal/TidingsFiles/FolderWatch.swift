// SPDX-License-Identifier: Apache-2.0
package import Dispatch

/// Calls a handler after each rename of a file into a folder.
///
/// All watches of a process share one instance of inotify, because a user has 128 instances in all
/// programs together. If the system has no instance left, a watch calls the handler every second.
package final class FolderWatch: Sendable {
    // Unchecked: Dispatch allows any thread to use a source.
    private nonisolated(unsafe) let source: any DispatchSourceProtocol
    #if os(Linux)
    private let registration: RenameMonitor.Registration?
    #endif

    /// Watches a folder until the release of this object.
    ///
    /// - Parameters:
    ///   - folder: The folder, which must exist.
    ///   - queue: The serial queue on which to call the handler. With nil, the watch creates a
    ///     queue.
    ///   - handler: Called after each rename, and once for several renames in quick succession.
    package init(
        _ folder: String,
        on queue: DispatchQueue? = nil,
        handler: @escaping @Sendable () -> Void
    ) {
        let queue = queue ?? DispatchQueue(label: "tidings.folder-watch")
        #if os(Linux)
        registration = RenameMonitor.shared.add(folder, queue)
        source = registration?.source ?? Self.timer(queue)
        #else
        source = Self.timer(queue)
        #endif
        source.setEventHandler(handler: handler)
        source.resume()
    }

    deinit { cancel() }

    /// Ends the calls of the handler.
    package func cancel() {
        source.cancel()
        #if os(Linux)
        if let registration { RenameMonitor.shared.remove(registration) }
        #endif
    }

    private static func timer(_ queue: DispatchQueue) -> any DispatchSourceProtocol {
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(deadline: .now(), repeating: .seconds(1), leeway: .milliseconds(250))
        return source
    }
}
