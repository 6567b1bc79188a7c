// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsFiles

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct CaptureFileTests {
    @Test func r14_aSurvivedCrashIsOverwrittenButNotOneInProgress() throws {
        let place = try TemporaryFolder()
        let path = place.path + "/crash-0.raw"
        let bytes = Data(CaptureBytes(text: "earlier").bytes + [UInt8](repeating: 0, count: 999))
        try bytes.write(to: URL(filePath: path))
        let crash = try #require(RawCapture(bytes)?.date)
        CaptureFile.clear(path, at: crash + 1)
        #expect(SystemFile.read(path, limit: 1 << 20) == bytes)
        CaptureFile.clear(path, at: crash + 3)
        // The file keeps its space and is not reported as unreadable.
        #expect(SystemFile.read(path, limit: 1 << 20) == Data(count: bytes.count))
        #expect(RunCrashes.read([path]).unreadable.isEmpty)
    }
}
