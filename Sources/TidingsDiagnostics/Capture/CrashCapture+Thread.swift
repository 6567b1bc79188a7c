// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import CTidingsCrash
import Foundation
import TidingsFiles
import TidingsLock

extension CrashCapture {
    private static let asking = NSLock()

    /// Returns the stack of another thread, which writes it itself; nil if it does not answer in
    /// time, because it blocks all signals or the system does not let it run.
    ///
    /// - Parameters:
    ///   - thread: The system's number of the thread.
    ///   - limit: The maximum time to wait for it.
    /// - Returns: The stack, in the format of a crash.
    func stack(of thread: Int32, within limit: Duration) -> RawCapture? {
        guard isArmed, let file = Self.temporaryFile() else { return nil }
        let milliseconds = Int32(clamping: Int64(limit / .milliseconds(1)))
        let error = Self.asking.withLock {
            tidings_crash_ask(thread, file.fileDescriptor, milliseconds)
        }
        // A thread that still answers must not write to a file of another use.
        if error == EINPROGRESS { _ = Unmanaged.passRetained(file) }
        guard error == 0 else { return nil }
        guard (try? file.seek(toOffset: 0)) != nil, let bytes = try? file.readToEnd() else {
            return nil
        }
        return RawCapture(bytes)
    }

    /// A file without a name.
    private static func temporaryFile() -> FileHandle? {
        let path = NSTemporaryDirectory() + "/tidings-\(UUID().uuidString)"
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return nil }
        unlink(path)
        return FileHandle(fileDescriptor: file, closeOnDealloc: true)
    }
}
#endif
