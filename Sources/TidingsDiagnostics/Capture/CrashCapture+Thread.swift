// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import CTidingsCrash
import Foundation
import TidingsFiles
import TidingsLock

extension CrashCapture {
    private static let asking = NSLock()

    /// Returns the stack of another thread, which that thread writes itself.
    ///
    /// - Parameters:
    ///   - thread: The system's number of the thread.
    ///   - limit: The maximum time to wait for the thread.
    /// - Returns: The stack in the format of a crash, or nil if the thread does not answer in time.
    ///   A thread does not answer while all signals are blocked or the system does not run the
    ///   thread.
    func stack(of thread: Int32, within limit: Duration) -> RawCapture? {
        guard isArmed, let file = Self.temporaryFile() else { return nil }
        let milliseconds = Int32(clamping: Int64(limit / .milliseconds(1)))
        let error = Self.asking.withLock {
            tidings_crash_ask(thread, file.fileDescriptor, milliseconds)
        }
        // A late answer must not go to a file that has since been opened for another use.
        if error == EINPROGRESS { _ = Unmanaged.passRetained(file) }
        guard error == 0 else { return nil }
        guard (try? file.seek(toOffset: 0)) != nil, let bytes = try? file.readToEnd() else {
            return nil
        }
        return RawCapture(bytes)
    }

    /// Returns a new file without a name.
    private static func temporaryFile() -> FileHandle? {
        let path = NSTemporaryDirectory() + "/tidings-\(UUID().uuidString)"
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return nil }
        unlink(path)
        return FileHandle(fileDescriptor: file, closeOnDealloc: true)
    }
}
#endif
