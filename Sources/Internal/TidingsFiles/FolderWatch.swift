// SPDX-License-Identifier: Apache-2.0
package import Dispatch
import Foundation

/// Calls a handler after each rename of a file into a folder.
///
/// Where the system has no watch left for this user, it calls the handler every second instead.
package final class FolderWatch: Sendable {
    // Unchecked: Dispatch allows any thread to cancel a source.
    private nonisolated(unsafe) let source: any DispatchSourceProtocol

    /// Watches a folder until the release of this object.
    ///
    /// - Parameters:
    ///   - folder: The folder, which must exist.
    ///   - queue: The serial queue on which to call the handler; nil for a queue of its own.
    ///   - handler: Called after each rename, and once for several renames in quick succession.
    package init(
        _ folder: String,
        on queue: DispatchQueue? = nil,
        handler: @escaping @Sendable () -> Void
    ) {
        let queue = queue ?? DispatchQueue(label: "tidings.folder-watch")
        source = Self.renames(into: folder, queue, handler) ?? Self.timer(queue, handler)
        source.resume()
    }

    deinit { source.cancel() }

    /// Ends the calls of the handler.
    package func cancel() { source.cancel() }

    private static func timer(
        _ queue: DispatchQueue,
        _ handler: @escaping @Sendable () -> Void
    ) -> any DispatchSourceProtocol {
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(deadline: .now(), repeating: .seconds(1), leeway: .milliseconds(250))
        source.setEventHandler(handler: handler)
        return source
    }

    #if os(Linux)
    /// Returns a source of the renames into a folder; nil if the system has no watch left.
    private static func renames(
        into folder: String,
        _ queue: DispatchQueue,
        _ handler: @escaping @Sendable () -> Void
    ) -> (any DispatchSourceProtocol)? {
        let number = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard number >= 0 else { return nil }
        guard inotify_add_watch(number, folder, UInt32(IN_MOVED_TO)) >= 0 else {
            close(number)
            return nil
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: number, queue: queue)
        source.setEventHandler {
            drain(number)
            handler()
        }
        source.setCancelHandler { close(number) }
        return source
    }

    /// Discards the events, because the handler reads the folder itself.
    private static func drain(_ number: CInt) {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while read(number, &buffer, buffer.count) > 0 {}
    }
    #else
    private static func renames(
        into folder: String,
        _ queue: DispatchQueue,
        _ handler: @escaping @Sendable () -> Void
    ) -> (any DispatchSourceProtocol)? {
        nil
    }
    #endif
}
