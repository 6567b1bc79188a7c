// SPDX-License-Identifier: Apache-2.0
#if !os(Linux)
/// The implementation for other platforms, where crashes are not captured.
final class CrashCapture: Sendable {
    /// The paths of a run's files.
    struct Paths: Sendable {
        /// The paths of two report files.
        ///
        /// The second file is for a crash after a crash that the process survived.
        var reports: [String]
        /// The path of the list of loaded images.
        var images: String
    }

    let status = CaptureStatus(reason: .unsupported)

    let isArmed = false

    private init() {}

    static func start(
        in paths: Paths,
        endMark: UnsafeMutablePointer<UInt32>? = nil,
        runMemory: UnsafeMutableRawBufferPointer? = nil,
        text: UnsafeMutableRawPointer? = nil,
        capturesStandardError: Bool = false
    ) -> CrashCapture {
        CrashCapture()
    }

    func stack(of thread: Int32, within limit: Duration) -> RawCapture? { nil }
    func registerThread() {}
    func markClean() {}
    func stop() {}
    func discardText() {}
    func waitForImages() {}
    static func registerExitHandler() {}
}
#endif
