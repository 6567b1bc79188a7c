// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
import TidingsFiles

/// Calls a handler after each rename of a file into a folder.
final class FolderWatch: Sendable {
    // Unchecked: Dispatch allows any thread to cancel a source.
    private nonisolated(unsafe) let source: any DispatchSourceRead

    /// Watches a folder until the release of this object.
    ///
    /// - Parameters:
    ///   - folder: The folder, which must exist.
    ///   - handler: Called on a serial queue of its own.
    /// - Throws: `SystemError` if the system has no watch left for this user.
    init(_ folder: String, handler: @escaping @Sendable () -> Void) throws(SystemError) {
        let number = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard number >= 0 else { throw SystemError("inotify_init1", path: folder) }
        guard inotify_add_watch(number, folder, UInt32(IN_MOVED_TO)) >= 0 else {
            let error = SystemError("inotify_add_watch", path: folder)
            close(number)
            throw error
        }
        let queue = DispatchQueue(label: "org.tidings.offline.requests")
        source = DispatchSource.makeReadSource(fileDescriptor: number, queue: queue)
        source.setEventHandler {
            Self.drain(number)
            handler()
        }
        source.setCancelHandler { close(number) }
        source.resume()
    }

    deinit { source.cancel() }

    /// Ends the calls of the handler.
    func cancel() { source.cancel() }

    /// Discards the events, because the handler reads the folder itself.
    private static func drain(_ number: CInt) {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while read(number, &buffer, buffer.count) > 0 {}
    }
}
