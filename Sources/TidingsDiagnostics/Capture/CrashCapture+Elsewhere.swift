// SPDX-License-Identifier: Apache-2.0
#if !os(Linux)
/// Crashes are captured on Linux; elsewhere a capture says that it is none.
final class CrashCapture: Sendable {
    /// Where the files of a run are.
    struct Places: Sendable {
        /// Two, the second for a crash after one that was survived.
        var reports: [String]
        /// The list of what is loaded.
        var images: String
    }

    let status = CaptureStatus(reason: .unsupported)

    private init() {}

    static func start(
        in places: Places,
        endMark: UnsafeMutablePointer<UInt32>? = nil,
        text: UnsafeMutableRawPointer? = nil,
        capturesStandardError: Bool = false
    ) -> CrashCapture {
        CrashCapture()
    }

    func registerThread() {}
    func markClean() {}
    func stop() {}
    func forgetText() {}
    func waitForImages() {}
    static func marksCleanAtExit() {}
}
#endif
